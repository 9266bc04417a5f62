-- Deleting an account leaves what it did in others' sessions, which it has to find.
CREATE INDEX CONCURRENTLY ix_session_log_actor ON session_log (actor_id) WHERE actor_id IS NOT NULL;
