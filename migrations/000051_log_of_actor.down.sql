DROP INDEX CONCURRENTLY ix_session_log_actor;
