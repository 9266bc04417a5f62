DROP INDEX ix_user_sessions_last_seen_at;
ALTER TABLE user_sessions DROP COLUMN id;
DELETE FROM user_links WHERE purpose <> 'sign-in';
DROP INDEX ix_user_links_expires_at;
ALTER TABLE user_links DROP CONSTRAINT ck_user_links_email, DROP COLUMN email, DROP COLUMN email_key,
    DROP CONSTRAINT ck_user_links_purpose, ADD CONSTRAINT user_links_purpose_check CHECK (purpose IN ('sign-in'));
ALTER TABLE users DROP COLUMN email_verified_at;
