//! Any sequence of calls, restarts and kills leaves a real Host saying what a map of lists says.

use maka_core::SessionId;
use maka_core::session_todo::{SessionTodo, TodoStatus};
use maka_host_protocol::{
    SessionListInput, SessionListResult, SessionRenameInput, SessionResult,
    SessionTodoOverviewInput, SessionTodoOverviewResult,
};
use maka_tests::dump::stored_record;
use maka_tests::host_process::HostProcess;
use maka_tests::scratch::Scratch;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::{Value, json};

/// One step. A number chooses among the Sessions that are there.
#[derive(Debug, Clone)]
enum Step {
    Create(String),
    Rename(usize, String),
    Write(usize, Vec<(String, TodoStatus)>),
    WriteInvalid(usize),
    Query(usize),
    ReadByTool(usize),
    Restart,
    Kill,
}

/// What the Host should say.
#[derive(Debug)]
struct Expected {
    session: SessionId,
    name: String,
    /// `None` until the first read or write.
    list: Option<Value>,
}

fn list() -> impl Strategy<Value = Vec<(String, TodoStatus)>> {
    let status = prop::sample::select(TodoStatus::ALL.to_vec());
    prop::collection::vec(("[a-zé中😀\\\\\"<]{1,12}", status), 0..6)
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => "[a-z]{1,8}".prop_map(Step::Create),
        2 => (any::<usize>(), "[a-z]{1,8}").prop_map(|(at, name)| Step::Rename(at, name)),
        8 => (any::<usize>(), list()).prop_map(|(at, list)| Step::Write(at, list)),
        1 => any::<usize>().prop_map(Step::WriteInvalid),
        4 => any::<usize>().prop_map(Step::Query),
        2 => any::<usize>().prop_map(Step::ReadByTool),
        1 => Just(Step::Restart),
        1 => Just(Step::Kill),
    ]
}

struct Machine {
    scratch: Scratch,
    host: Option<HostProcess>,
    expected: Vec<Expected>,
}

impl Machine {
    fn new() -> Self {
        let scratch = Scratch::new().unwrap();
        let host = Some(HostProcess::start(&scratch.root()).unwrap());
        Self { scratch, host, expected: Vec::new() }
    }

    fn host(&self) -> &HostProcess {
        self.host.as_ref().unwrap()
    }

    fn run(&mut self, step: Step) {
        match step {
            Step::Create(name) => {
                let session = self.host().client().unwrap().new_session(&name).unwrap();
                self.expected.push(Expected { session, name, list: None });
            }
            Step::Restart => {
                self.host.take().unwrap().stop().unwrap();
                self.host = Some(HostProcess::start(&self.scratch.root()).unwrap());
            }
            Step::Kill => {
                self.host.take().unwrap().kill().unwrap();
                self.host = Some(HostProcess::start(&self.scratch.root()).unwrap());
            }
            Step::Rename(at, name) => self.on_session(at, |host, expected| {
                let input =
                    SessionRenameInput { session_id: expected.session.clone(), name: name.clone() };
                let renamed: SessionResult =
                    host.client().unwrap().call("session.rename", &input).unwrap().unwrap();
                assert_eq!(renamed.session.name.as_str(), name);
                expected.name = name;
            }),
            Step::Write(at, list) => self.on_session(at, |host, expected| {
                let items: Vec<Value> = list
                    .iter()
                    .map(|(content, status)| json!({"content": content, "status": status.as_str()}))
                    .collect();
                // What is stored is normalized: accents may be composed.
                let todo = SessionTodo::from_value(&json!(items)).unwrap();
                let mut model = host.model(&expected.session).unwrap();
                model.write_list(&json!({ "todos": items }).to_string()).unwrap();
                expected.list = Some(serde_json::to_value(&todo).unwrap());
            }),
            Step::WriteInvalid(at) => self.on_session(at, |host, expected| {
                let list = r#"{"todos":[{"content":" ","status":"pending"}]}"#;
                let mut model = host.model(&expected.session).unwrap();
                assert!(!model.tool("todo_write", list).unwrap().unwrap().ok);
            }),
            Step::Query(at) => self.on_session(at, |host, expected| {
                let found = host.viewer().unwrap().query_list(&expected.session).unwrap();
                let found = serde_json::to_value(&found.items).unwrap();
                assert_eq!(&found, expected.list.get_or_insert_with(|| json!([])));
            }),
            Step::ReadByTool(at) => self.on_session(at, |host, expected| {
                let mut model = host.model(&expected.session).unwrap();
                let read = model.tool("todo_read", "{}").unwrap().unwrap();
                let list = expected.list.get_or_insert_with(|| json!([]));
                let length = read.structured.unwrap().items.len();
                assert_eq!(length, list.as_array().unwrap().len());
            }),
        }
    }

    fn on_session(&mut self, at: usize, act: impl FnOnce(&HostProcess, &mut Expected)) {
        let count = self.expected.len();
        if let (Some(host), Some(expected)) =
            (&self.host, at.checked_rem(count).and_then(|at| self.expected.get_mut(at)))
        {
            act(host, expected);
        }
    }

    /// Everything that is there, by overviews that initialize nothing and by SQL.
    fn check(&self) {
        let mut viewer = self.host().viewer().unwrap();
        let listed: SessionListResult =
            viewer.call("session.list", &SessionListInput::default()).unwrap().unwrap();
        let mut found: Vec<_> = listed
            .sessions
            .iter()
            .map(|s| (s.session_id.to_string(), s.name.as_str().to_owned()))
            .collect();
        let mut wanted: Vec<_> =
            self.expected.iter().map(|e| (e.session.to_string(), e.name.clone())).collect();
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted);

        let open: SessionTodoOverviewResult = viewer
            .call("session.todo.overview", &SessionTodoOverviewInput::default())
            .unwrap()
            .unwrap();
        for expected in &self.expected {
            let record =
                stored_record(&self.scratch.database(), expected.session.as_str()).unwrap();
            let stored = record.map(|text| serde_json::from_str::<Value>(&text).unwrap());
            assert_eq!(stored.as_ref().map(|record| &record["items"]), expected.list.as_ref());
            let list = expected.list.as_ref().and_then(Value::as_array).cloned();
            let unfinished: Vec<Value> = list
                .unwrap_or_default()
                .into_iter()
                .filter(|item| item["status"] != "completed")
                .collect();
            let entry = open.entries.iter().find(|e| e.session.session_id == expected.session);
            let shown = entry.map(|entry| serde_json::to_value(&entry.unfinished).unwrap());
            let wanted = (!unfinished.is_empty()).then(|| json!(unfinished));
            assert_eq!(shown, wanted);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 12,
        max_shrink_iters: 100,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_host_says_what_a_map_of_lists_says(
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let mut machine = Machine::new();
        for step in steps {
            machine.run(step);
        }
        machine.check();
    }
}
