-- Deleting a quiz leaves its sessions, which it has to find.
CREATE INDEX CONCURRENTLY ix_sessions_quiz ON sessions (quiz_id) WHERE quiz_id IS NOT NULL;
