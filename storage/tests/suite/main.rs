//! The suites of the crate, in one binary.

#[cfg(test)]
mod adoption;
#[cfg(test)]
mod backups;
#[cfg(test)]
mod closed_workspace;
#[cfg(test)]
mod dump;
#[cfg(test)]
mod group_commit;
#[cfg(test)]
mod harness;
#[cfg(test)]
mod migration_cases;
#[cfg(test)]
mod overview;
#[cfg(test)]
mod real_workspaces;
#[cfg(test)]
mod root;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod store_cases;
#[cfg(test)]
mod todo_model;
#[cfg(test)]
mod upgrade_failures;
#[cfg(test)]
mod upgrade_plan;
