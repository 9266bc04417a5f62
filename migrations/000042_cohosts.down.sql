DROP TABLE notepads;
DROP TABLE cohost_links;
DROP TABLE cohosts;
ALTER TABLE sessions DROP CONSTRAINT uq_sessions_owner;
