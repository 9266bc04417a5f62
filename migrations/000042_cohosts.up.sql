-- Hosts whom a session's owner has invited to drive it with them.
ALTER TABLE sessions ADD CONSTRAINT uq_sessions_owner UNIQUE (id, owner_id);
CREATE TABLE cohosts (
    session_id bigint NOT NULL,
    number     smallint NOT NULL CHECK (number BETWEEN 1 AND 5), -- so many at most, and what the session's hosts know each by
    owner_id   bigint NOT NULL,                                 -- the session's own
    user_id    bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_hash bytea NOT NULL CHECK (length(token_hash) = 32), -- of the link that they came by, so that using it twice leads to one and the same place
    since      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (session_id, number),
    CONSTRAINT uq_cohosts_user UNIQUE (user_id, session_id),
    CONSTRAINT uq_cohosts_token UNIQUE (token_hash),
    CONSTRAINT fk_cohosts_session FOREIGN KEY (session_id, owner_id) REFERENCES sessions (id, owner_id) ON DELETE CASCADE,
    CONSTRAINT ck_cohosts_owner CHECK (user_id <> owner_id)
);

-- The one link of a session that makes whoever uses it first a co-host. It works as long as the session is live.
CREATE TABLE cohost_links (
    session_id bigint PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    token_hash bytea NOT NULL CONSTRAINT uq_cohost_links_token UNIQUE CHECK (length(token_hash) = 32)
);

-- What the hosts of a session write down for themselves. It has a row of its own: a session's is locked by every command and every join.
CREATE TABLE notepads (
    session_id bigint PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    revision   integer NOT NULL CHECK (revision >= 1), -- one more with each saving
    text       text NOT NULL CHECK (char_length(text) <= 5000)
);
