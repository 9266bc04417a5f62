-- What only the state machine and the marking kept so far.
ALTER TABLE sessions
    ADD CONSTRAINT ck_sessions_round_from CHECK (round_from IS NULL OR phase IN ('round', 'finished')),
    ADD CONSTRAINT ck_sessions_finished_from CHECK (finished_from IS NULL OR phase = 'finished'),
    ADD CONSTRAINT ck_sessions_results_token CHECK (results_token ~ '^[A-Z2-7]{26}$');
ALTER TABLE session_questions ADD CONSTRAINT ck_session_questions_paused_for CHECK (paused_for >= '0');
ALTER TABLE answers ADD CONSTRAINT ck_answers_marked CHECK (verdict IS NULL OR half_points IS NOT NULL);
ALTER TABLE adjustments ADD CONSTRAINT ck_adjustments_half_points CHECK (half_points BETWEEN -200 AND 200);
