ALTER TABLE participants DROP COLUMN joined_in;
