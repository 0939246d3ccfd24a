//! The Todo store beside a reference model that is a map.

use std::collections::HashMap;

use maka_core::ports::{CopyContents, CopyOutcome, SessionTodoStore};
use maka_core::session_todo::SessionTodo;
use proptest::prelude::*;
use serde_json::json;

use crate::harness::{Workspace, id, wait};

const SESSIONS: [&str; 3] = ["a", "b", "c"];

#[derive(Debug, Clone)]
enum Step {
    Read(usize),
    Replace(usize, SessionTodo),
    Copy(usize, usize, CopyContents),
    Purge(usize),
    Damage(usize),
    Reopen,
}

fn list() -> impl Strategy<Value = SessionTodo> {
    let status = prop::sample::select(vec!["pending", "in_progress", "completed"]);
    prop::collection::vec(("[ab]{1,2}", status), 0..5).prop_map(|items| {
        let items: Vec<_> = items
            .into_iter()
            .map(|(content, status)| json!({"content": content, "status": status}))
            .collect();
        SessionTodo::from_value(&items.into()).expect("valid")
    })
}

fn step() -> impl Strategy<Value = Step> {
    let session = || 0..SESSIONS.len();
    let contents = prop::sample::select(vec![CopyContents::Current, CopyContents::Empty]);
    prop_oneof![
        4 => session().prop_map(Step::Read),
        6 => (session(), list()).prop_map(|(session, list)| Step::Replace(session, list)),
        4 => (session(), session(), contents).prop_map(|(a, b, contents)| Step::Copy(a, b, contents)),
        2 => session().prop_map(Step::Purge),
        1 => session().prop_map(Step::Damage),
        1 => Just(Step::Reopen),
    ]
}

/// What stands under a Session: a list, or a damaged row.
type Model = HashMap<usize, Option<SessionTodo>>;

fn run(workspace: &mut Workspace, model: &mut Model, step: Step) {
    let store = workspace.database.todos();
    match step {
        Step::Read(session) => {
            let expected = model.entry(session).or_insert_with(|| Some(SessionTodo::default()));
            assert_eq!(workspace.read(SESSIONS[session]).ok(), *expected);
        }
        Step::Replace(session, list) => {
            let replaced = workspace.replace(SESSIONS[session], &list).expect("written");
            let old = model.insert(session, Some(list.clone())).flatten();
            let dropped = old.map(|old| old.unfinished_dropped_by(&list));
            assert_eq!((replaced.todo, replaced.dropped_unfinished), (list, dropped));
        }
        Step::Copy(source, target, contents) => {
            let answer =
                wait(store.initialize_copy(&id(SESSIONS[source]), &id(SESSIONS[target]), contents));
            assert_eq!(answer.ok(), copied(model, source, target, contents));
        }
        Step::Purge(session) => {
            wait(store.purge(&id(SESSIONS[session]))).expect("purged");
            model.remove(&session);
        }
        Step::Damage(session) => {
            let sql = "UPDATE workflow_session_todo_documents SET record_json = '{' \
                       WHERE session_id = ?1";
            let changed = workspace.raw().execute(sql, [SESSIONS[session]]).expect("changed");
            if changed == 1 {
                model.insert(session, None);
            }
        }
        Step::Reopen => workspace.reopen(),
    }
}

/// What the contract says of a copy; `None` is an error.
fn copied(
    model: &mut Model,
    source: usize,
    target: usize,
    contents: CopyContents,
) -> Option<CopyOutcome> {
    let first = match contents {
        CopyContents::Empty => SessionTodo::default(),
        CopyContents::Current => match model.get(&source) {
            Some(list) => list.clone()?,
            None => SessionTodo::default(),
        },
    };
    let there = model.entry(target).or_insert_with(|| Some(first.clone())).clone()?;
    Some(if there == first { CopyOutcome::Initialized(first) } else { CopyOutcome::TargetConflict })
}

fn assert_same_rows(workspace: &Workspace, model: &Model) {
    for (place, session) in SESSIONS.iter().enumerate() {
        let expected = model.get(&place).map(|list| match list {
            Some(list) => list.to_record(),
            None => "{".to_owned(),
        });
        assert_eq!(workspace.row(session), expected);
        let counts = model.get(&place).cloned().flatten().map(|list| list.counts());
        if let Some(counts) = counts {
            let stored = (counts.pending, counts.in_progress, counts.completed);
            assert_eq!(workspace.counts(session), Some(stored));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn the_store_does_what_the_model_does(steps in prop::collection::vec(step(), 1..40)) {
        let mut workspace = Workspace::new();
        let mut model = Model::new();
        for step in steps {
            run(&mut workspace, &mut model, step);
            assert_same_rows(&workspace, &model);
        }
    }
}
