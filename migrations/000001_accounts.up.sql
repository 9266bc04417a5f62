-- Hosts. A participant has no account.
CREATE TABLE users (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email         text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
    email_key     text NOT NULL CONSTRAINT uq_users_email_key UNIQUE, -- the folded address: one account for all its spellings
    name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    password_hash text NOT NULL, -- PHC string
    created_at    timestamptz NOT NULL DEFAULT now()
);

-- Signed-in browsers. The token itself is only in the browser's cookie.
CREATE TABLE user_sessions (
    token_hash   bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    user_id      bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    address      inet NOT NULL,
    agent        text NOT NULL CHECK (length(agent) <= 300)
);
CREATE INDEX ix_user_sessions_user ON user_sessions (user_id);

-- One-time links. At most one of a purpose is live for a user; using it deletes it.
CREATE TABLE user_links (
    user_id    bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    purpose    text NOT NULL CHECK (purpose IN ('sign-in')),
    token_hash bytea NOT NULL CONSTRAINT uq_user_links_token UNIQUE CHECK (length(token_hash) = 32),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, purpose)
);
