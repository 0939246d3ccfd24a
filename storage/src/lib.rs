//! The state root on disk: SQLite, the upgrade to workflow schema 12, stores, backups.
