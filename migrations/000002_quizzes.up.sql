-- A quiz is one document: its editor saves it whole, and a session copies it whole (docs/decisions/quiz-document.md).
CREATE TABLE quizzes (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner_id   bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    revision   bigint NOT NULL DEFAULT 1 CHECK (revision >= 1),
    content    jsonb NOT NULL CHECK (jsonb_typeof(content -> 'rounds') = 'array' AND jsonb_typeof(content -> 'title') = 'string'),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ix_quizzes_owner ON quizzes (owner_id, updated_at DESC);
