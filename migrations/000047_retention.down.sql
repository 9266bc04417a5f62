ALTER TABLE sessions DROP COLUMN forgotten_at, DROP COLUMN forgotten_participants;
