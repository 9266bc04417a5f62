-- What a whole quiz needs of a session: its options, the ways back, and the public results.
ALTER TABLE sessions
    ADD COLUMN options         jsonb NOT NULL DEFAULT '{}', -- of the quiz: {"language", "teams", "tiesByTime"}
    ADD COLUMN round_from      text CHECK (round_from IN ('lobby', 'revealed', 'standings')),                         -- whence the round on screen was begun, until its first launch
    ADD COLUMN finished_from   text CHECK (finished_from IN ('lobby', 'round', 'closed', 'revealed', 'standings')),  -- whence it finished
    ADD COLUMN standings_shown integer NOT NULL DEFAULT 0 CHECK (standings_shown >= 0),                               -- how often
    ADD COLUMN results_token   text CONSTRAINT uq_sessions_results_token UNIQUE;                                      -- null: the final standings are not public

-- The clock of an open question can stand still.
ALTER TABLE session_questions
    ADD COLUMN voided     boolean NOT NULL DEFAULT false, -- counts for nobody
    ADD COLUMN paused_at  timestamptz,
    ADD COLUMN paused_for interval NOT NULL DEFAULT '0',  -- altogether; is no part of anybody's answer time
    ADD COLUMN seconds    integer GENERATED ALWAYS AS ((content ->> 'seconds')::integer) STORED,
    ADD CONSTRAINT ck_session_questions_paused CHECK (paused_at IS NULL OR status = 'open');

-- Every rank that was shown, by how often standings had been: element 1 is of the first time.
ALTER TABLE participants
    ADD COLUMN shown_ranks integer[] NOT NULL DEFAULT '{}';
UPDATE participants SET shown_ranks = ARRAY[previous_rank, shown_rank] WHERE shown_rank IS NOT NULL;
UPDATE sessions SET standings_shown = 2 WHERE id IN (SELECT session_id FROM participants WHERE shown_rank IS NOT NULL);
ALTER TABLE participants DROP COLUMN shown_rank, DROP COLUMN previous_rank;

ALTER TABLE answers
    DROP CONSTRAINT answers_half_points_check, -- a wrong answer may cost points
    ADD COLUMN elapsed_ms integer NOT NULL DEFAULT 0 CHECK (elapsed_ms >= 0), -- from the opening, by the database's clock, without pauses
    ADD COLUMN verdict    text CHECK (verdict IN ('right', 'part', 'wrong')), -- set with half_points; a poll has none
    ADD COLUMN verdict_by text CHECK (verdict_by IN ('machine', 'host')),
    ADD COLUMN stake      integer CHECK (stake >= 0), -- half points, set when the question closes
    ADD CONSTRAINT ck_answers_verdict CHECK ((verdict IS NULL) = (verdict_by IS NULL));

-- What a host decided about all typed answers that fold to one text.
CREATE TABLE markings (
    session_id  bigint NOT NULL,
    question_id bigint NOT NULL,
    folded      text NOT NULL,
    verdict     text NOT NULL CHECK (verdict IN ('right', 'half', 'wrong')),
    PRIMARY KEY (question_id, folded),
    CONSTRAINT fk_markings_question FOREIGN KEY (session_id, question_id) REFERENCES session_questions (session_id, id) ON DELETE CASCADE
);
CREATE INDEX ix_markings_session ON markings (session_id);

-- Points that a host gave or took, and why.
CREATE TABLE adjustments (
    session_id     bigint NOT NULL,
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    participant_id bigint NOT NULL,
    half_points    integer NOT NULL CHECK (half_points <> 0),
    reason         text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 120),
    at             timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor_id       bigint REFERENCES users (id) ON DELETE SET NULL,
    CONSTRAINT fk_adjustments_participant FOREIGN KEY (session_id, participant_id) REFERENCES participants (session_id, id) ON DELETE CASCADE
);
CREATE INDEX ix_adjustments_session ON adjustments (session_id, participant_id);

-- The one round that a participant doubles.
CREATE TABLE jokers (
    session_id     bigint NOT NULL,
    participant_id bigint NOT NULL CONSTRAINT uq_jokers_participant UNIQUE,
    round          integer NOT NULL CHECK (round >= 1),
    CONSTRAINT fk_jokers_participant FOREIGN KEY (session_id, participant_id) REFERENCES participants (session_id, id) ON DELETE CASCADE
);
CREATE INDEX ix_jokers_session ON jokers (session_id, round);

-- A team's further phones. The participant's own is number 0.
CREATE TABLE members (
    session_id     bigint NOT NULL,
    participant_id bigint NOT NULL,
    number         smallint NOT NULL CHECK (number BETWEEN 1 AND 9),
    attempt_hash   bytea NOT NULL CHECK (length(attempt_hash) = 32), -- of the phone's join attempt, so that a resend is no second phone
    joined_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (participant_id, number),
    CONSTRAINT uq_members_attempt UNIQUE (session_id, attempt_hash),
    CONSTRAINT fk_members_participant FOREIGN KEY (session_id, participant_id) REFERENCES participants (session_id, id) ON DELETE CASCADE
);
ALTER TABLE rejoin_codes
    ADD COLUMN member boolean NOT NULL DEFAULT false, -- leads to one more phone of the participant
    ADD CONSTRAINT ck_rejoin_codes_member CHECK (NOT member OR participant_id IS NOT NULL);
