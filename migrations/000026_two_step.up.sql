-- Hosts who are asked for a code from an app (RFC 6238) after the password.
CREATE TABLE user_totp (
    user_id       bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret_sealed bytea NOT NULL,  -- encrypted with a key that is not in the database
    last_step     bigint NOT NULL, -- of the last code that was used: that one and all before it are worth nothing
    enabled_at    timestamptz NOT NULL DEFAULT now()
);

-- What gets a host in without the app, once each. They go when the app's secret goes.
CREATE TABLE user_recovery_codes (
    user_id   bigint NOT NULL REFERENCES user_totp (user_id) ON DELETE CASCADE,
    code_hash bytea NOT NULL CHECK (length(code_hash) = 32),
    PRIMARY KEY (user_id, code_hash)
);
