-- Where the host drives the session from: the session's venue, until two minutes after the last command or sign of the console.
ALTER TABLE sessions ADD COLUMN venue cidr, ADD COLUMN venue_until timestamptz,
    ADD CONSTRAINT ck_sessions_venue CHECK ((venue IS NULL) = (venue_until IS NULL));
CREATE INDEX ix_sessions_venue ON sessions (venue_until) WHERE finished_at IS NULL AND venue IS NOT NULL;
