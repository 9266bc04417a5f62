DROP TABLE user_passkeys;
ALTER TABLE users DROP COLUMN passkey_handle;
