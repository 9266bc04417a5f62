-- Whoever has the link of a shared quiz may read it.
ALTER TABLE quizzes ADD COLUMN share_token text
    CONSTRAINT uq_quizzes_share_token UNIQUE CHECK (share_token ~ '^[A-Za-z0-9_-]{32}$'); -- null: not shared
