-- When the owner of an account has shown that its address is theirs. Without mail nobody can.
ALTER TABLE users ADD COLUMN email_verified_at timestamptz;

-- A link that resets the password, or one that confirms an address: the account's own, or the one it is to have.
ALTER TABLE user_links DROP CONSTRAINT user_links_purpose_check,
    ADD CONSTRAINT ck_user_links_purpose CHECK (purpose IN ('sign-in', 'reset', 'confirm')),
    ADD COLUMN email text CHECK (length(email) BETWEEN 3 AND 254),
    ADD COLUMN email_key text,
    ADD CONSTRAINT ck_user_links_email CHECK ((purpose = 'confirm') = (email IS NOT NULL) AND (email IS NULL) = (email_key IS NULL));
CREATE INDEX ix_user_links_expires_at ON user_links (expires_at);

-- A browser in the list of its owner's, who ends it by this number: tokens are in cookies only.
ALTER TABLE user_sessions ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT uq_user_sessions_id UNIQUE;
CREATE INDEX ix_user_sessions_last_seen_at ON user_sessions (last_seen_at);
