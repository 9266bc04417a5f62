-- By what a host's authenticators know the account: random, so that it tells nothing, and the same for all of a host's passkeys.
ALTER TABLE users ADD COLUMN passkey_handle uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT uq_users_passkey_handle UNIQUE;

-- Passkeys (WebAuthn): public keys of authenticators that open the account by themselves.
CREATE TABLE user_passkeys (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id       bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
    credential_id bytea NOT NULL CONSTRAINT uq_user_passkeys_credential UNIQUE CHECK (length(credential_id) BETWEEN 1 AND 1023),
    credential    jsonb NOT NULL, -- key, flags and counter, as the library keeps them
    created_at    timestamptz NOT NULL DEFAULT now(),
    used_at       timestamptz
);
CREATE INDEX ix_user_passkeys_user ON user_passkeys (user_id);
