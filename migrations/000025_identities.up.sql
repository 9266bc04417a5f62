-- Accounts at OpenID providers that open an account here. Whoever proves to be (issuer, subject) is the user, whatever the e-mail address there.
CREATE TABLE user_identities (
    user_id    bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    issuer     text NOT NULL CHECK (length(issuer) BETWEEN 1 AND 255),
    subject    text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
    email      text NOT NULL CHECK (length(email) <= 254), -- as the provider has it, so that its owner knows which account it is; empty if it tells none
    linked_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT uq_user_identities_identity UNIQUE (issuer, subject),
    CONSTRAINT uq_user_identities_issuer UNIQUE (user_id, issuer)
);

-- Attempts to sign in with a provider or a passkey that have come to their end: each can do so once. Rows outlive the attempt's cookie.
CREATE TABLE spent_attempts (
    attempt_hash bytea PRIMARY KEY CHECK (length(attempt_hash) = 32),
    spent_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ix_spent_attempts_spent_at ON spent_attempts (spent_at);
