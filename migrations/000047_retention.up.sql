-- When the names and answers of a session that has ended were deleted, and how many had taken part: that is all that is left of them.
ALTER TABLE sessions
    ADD COLUMN forgotten_at           timestamptz,
    ADD COLUMN forgotten_participants integer NOT NULL DEFAULT 0 CHECK (forgotten_participants >= 0),
    ADD CONSTRAINT ck_sessions_forgotten CHECK (forgotten_at IS NULL OR finished_at IS NOT NULL); -- there is no way back from it
CREATE INDEX ix_sessions_remembered ON sessions (finished_at) WHERE forgotten_at IS NULL AND finished_at IS NOT NULL;
