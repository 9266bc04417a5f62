-- Letters that are to be sent, written in the transaction of their cause. What has been sent is deleted.
CREATE TABLE mail_outbox (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id uuid NOT NULL DEFAULT gen_random_uuid(), -- the same for every attempt, so that mailboxes see one letter
    recipient  text CHECK (length(recipient) BETWEEN 3 AND 254), -- null: to nobody, so that writing takes as long as to somebody
    letter     bytea, -- sealed: it may hold a link that opens an account; erased when it is given up
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL, -- from then on it is of no use
    due_at     timestamptz NOT NULL DEFAULT now(), -- of the next attempt; while one is under way, when it counts as lost
    attempts   integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_error text CHECK (length(last_error) <= 300),
    failed_at  timestamptz, -- it was given up
    CONSTRAINT ck_mail_outbox_failed CHECK ((failed_at IS NULL) = (letter IS NOT NULL) AND (failed_at IS NULL OR last_error IS NOT NULL))
);
CREATE INDEX ix_mail_outbox_due ON mail_outbox (due_at) WHERE failed_at IS NULL;
CREATE INDEX ix_mail_outbox_failed ON mail_outbox (failed_at) WHERE failed_at IS NOT NULL;
