#!/usr/bin/env bash
# Checks `maka mcp` with clients that are not ours. Takes the path of a built maka; without it,
# builds one. Needs python3 with venv, node with npm, and the network for the pinned packages.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)

built_maka() {
    (cd "$repository" && cargo build --release --locked --quiet -p maka-cli)
    local target=${CARGO_TARGET_DIR:-$repository/target}
    (cd "$repository" && cd "$target/release" && echo "$PWD/maka")
}

maka=${1:-$(built_maka)}
maka=$(cd "$(dirname "$maka")" && pwd)/$(basename "$maka")
work=$(mktemp -d "${TMPDIR:-/tmp}/maka-clients.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset MAKA_ROOT MAKA_TEST_FAULT
export PYTHONDONTWRITEBYTECODE=1

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --requirement "$here/python/requirements.txt"
cp -R "$here/node" "$work/node"
rm -rf "$work/node/node_modules"
(cd "$work/node" && npm ci --silent)

report=$work/report
: >"$report"

# A program that dies between two checks must not pass for one that had no more of them.
run() {
    local name=$1
    shift
    if ! "$@" "$maka" 2>"$work/stderr" | tee -a "$report"; then
        cat "$work/stderr" >&2
        echo "FAILED  $name: ended with an error" | tee -a "$report"
    fi
}

run 'python mcp' "$work/venv/bin/python" "$here/python/mcp_client.py"
run 'typescript sdk' node "$work/node/typescript_sdk.mjs"
run 'inspector cli' node "$work/node/inspector.mjs"

passed=$(grep -c '^ok ' "$report" || true)
failed=$(grep -c '^FAILED ' "$report" || true)
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
