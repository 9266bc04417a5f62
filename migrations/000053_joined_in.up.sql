-- The version that the session had when they came. The standings of a version hold those who came before it: whoever reads that version later, such as an
-- instance that starts then, must find the same. Joining itself makes no new version.
ALTER TABLE participants ADD COLUMN joined_in bigint NOT NULL DEFAULT 0 CHECK (joined_in >= 0);
