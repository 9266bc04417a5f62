ALTER TABLE epoch DROP COLUMN written_by, DROP COLUMN served_since;
