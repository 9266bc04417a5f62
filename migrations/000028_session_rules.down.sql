ALTER TABLE adjustments DROP CONSTRAINT ck_adjustments_half_points;
ALTER TABLE answers DROP CONSTRAINT ck_answers_marked;
ALTER TABLE session_questions DROP CONSTRAINT ck_session_questions_paused_for;
ALTER TABLE sessions DROP CONSTRAINT ck_sessions_results_token, DROP CONSTRAINT ck_sessions_finished_from, DROP CONSTRAINT ck_sessions_round_from;
