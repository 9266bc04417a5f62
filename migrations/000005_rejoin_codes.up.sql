-- A way in that the host hands to one phone: to a new seat whatever the doors are, or to the seat of a participant who has changed phones. Used once.
CREATE TABLE rejoin_codes (
    code_hash      bytea PRIMARY KEY CHECK (length(code_hash) = 32),
    session_id     bigint NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    participant_id bigint, -- null: a new seat
    expires_at     timestamptz NOT NULL,
    attempt_hash   bytea CHECK (length(attempt_hash) = 32), -- of the attempt that used it, so that a resend finds its seat
    CONSTRAINT fk_rejoin_codes_participant FOREIGN KEY (session_id, participant_id) REFERENCES participants (session_id, id) ON DELETE CASCADE
);
CREATE INDEX ix_rejoin_codes_session ON rejoin_codes (session_id);
