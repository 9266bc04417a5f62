-- A restored database must not pass for a newer version of itself: restoring changes the epoch.
CREATE TABLE epoch (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    epoch    text NOT NULL DEFAULT substr(replace(gen_random_uuid()::text, '-', ''), 1, 12)
);
INSERT INTO epoch DEFAULT VALUES;

-- One live evening of a quiz, with a frozen copy of its content.
CREATE TABLE sessions (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    public_id         text NOT NULL CONSTRAINT uq_sessions_public_id UNIQUE,
    owner_id          bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    quiz_id           bigint REFERENCES quizzes (id) ON DELETE SET NULL,
    title             text NOT NULL,
    rounds            jsonb NOT NULL, -- [{"title", "introduction", "questions": how many}]
    join_code         text NOT NULL CHECK (join_code ~ '^[BCDFGHJKMPQRTVWXY2346789]{6}$'),
    capacity          integer NOT NULL DEFAULT 100 CHECK (capacity BETWEEN 1 AND 1000),
    doors_locked      boolean NOT NULL DEFAULT false,
    screen_generation integer NOT NULL DEFAULT 1, -- raising it revokes the big screen's tokens
    version           bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
    phase             text NOT NULL DEFAULT 'lobby'
                      CHECK (phase IN ('lobby', 'round', 'open', 'closed', 'revealed', 'standings', 'finished')),
    round             integer NOT NULL DEFAULT 0 CHECK (round >= 0),    -- 0 in the lobby, then from 1
    question          integer NOT NULL DEFAULT 0 CHECK (question >= 0), -- the last launched of the round, 0 before the first
    created_at        timestamptz NOT NULL DEFAULT now(),
    changed_at        timestamptz NOT NULL DEFAULT now(),
    finished_at       timestamptz,
    CONSTRAINT ck_sessions_lobby CHECK ((phase = 'lobby') = (round = 0) OR phase = 'finished'),
    CONSTRAINT ck_sessions_question CHECK (phase NOT IN ('open', 'closed', 'revealed', 'standings') OR question > 0),
    CONSTRAINT ck_sessions_finished CHECK ((phase = 'finished') = (finished_at IS NOT NULL))
);
-- A code is taken while its session lives, and free again when it has finished.
CREATE UNIQUE INDEX uq_sessions_live_join_code ON sessions (join_code) WHERE finished_at IS NULL;
CREATE INDEX ix_sessions_owner ON sessions (owner_id, created_at DESC);
CREATE INDEX ix_sessions_live_changed ON sessions (changed_at) WHERE finished_at IS NULL;

CREATE TABLE session_questions (
    session_id bigint NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    round      integer NOT NULL CHECK (round >= 1),
    number     integer NOT NULL CHECK (number >= 1),
    content    jsonb NOT NULL, -- the frozen quiz.Question
    status     text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'open', 'closed', 'revealed')),
    opens_at   timestamptz,
    closes_at  timestamptz,
    CONSTRAINT uq_session_questions_session UNIQUE (session_id, id),
    CONSTRAINT uq_session_questions_place UNIQUE (session_id, round, number),
    CONSTRAINT ck_session_questions_times CHECK ((status = 'waiting') = (opens_at IS NULL) AND (opens_at IS NULL) = (closes_at IS NULL)
        AND closes_at >= opens_at)
);
CREATE UNIQUE INDEX uq_session_questions_one_open ON session_questions (session_id) WHERE status = 'open';
-- The sweep's question: which deadlines have passed?
CREATE INDEX ix_session_questions_deadline ON session_questions (closes_at) WHERE status = 'open';

CREATE TABLE participants (
    session_id    bigint NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    public_id     text NOT NULL CONSTRAINT uq_participants_public_id UNIQUE,
    name          text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 96),
    name_key      text NOT NULL CHECK (name_key <> ''), -- folded: what looks the same is the same
    generation    integer NOT NULL DEFAULT 1,           -- raising it ends the tokens given out before
    attempt_hash  bytea NOT NULL CHECK (length(attempt_hash) = 32), -- of the phone's join attempt, so that a resend is no second participant
    shown_rank    integer CHECK (shown_rank >= 1),    -- when standings were last shown …
    previous_rank integer CHECK (previous_rank >= 1), -- … and the time before, for the movement
    joined_at     timestamptz NOT NULL DEFAULT now(),
    removed_at    timestamptz,
    CONSTRAINT uq_participants_session UNIQUE (session_id, id),
    CONSTRAINT uq_participants_attempt UNIQUE (session_id, attempt_hash)
);
CREATE UNIQUE INDEX uq_participants_name ON participants (session_id, name_key) WHERE removed_at IS NULL;

CREATE TABLE answers (
    session_id     bigint NOT NULL,
    participant_id bigint NOT NULL,
    question_id    bigint NOT NULL,
    answer_id      text NOT NULL CHECK (answer_id ~ '^[A-Za-z0-9_-]{1,64}$'), -- chosen by the phone, the same for every resend
    given          jsonb NOT NULL,
    answered_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    half_points    integer CHECK (half_points >= 0), -- what it earned, in half points; set when the question closes
    -- One accepted answer for each participant and question. Nothing else in the system guarantees it.
    CONSTRAINT uq_answers_participant_question UNIQUE (participant_id, question_id),
    CONSTRAINT fk_answers_participant FOREIGN KEY (session_id, participant_id) REFERENCES participants (session_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_answers_question FOREIGN KEY (session_id, question_id) REFERENCES session_questions (session_id, id) ON DELETE CASCADE
);
CREATE INDEX ix_answers_session_question ON answers (session_id, question_id);

-- Everything the host (and the clock) did.
CREATE TABLE session_log (
    session_id bigint NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    version    bigint NOT NULL,
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor_id   bigint REFERENCES users (id) ON DELETE SET NULL, -- null: the clock
    command    text NOT NULL,
    detail     jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (session_id, version)
);
