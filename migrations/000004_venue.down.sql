ALTER TABLE sessions DROP COLUMN venue, DROP COLUMN venue_until;
