ALTER TABLE rejoin_codes DROP COLUMN member;
DROP TABLE members, jokers, adjustments, markings;
UPDATE answers SET half_points = 0 WHERE half_points < 0;
ALTER TABLE answers DROP COLUMN stake, DROP COLUMN verdict_by, DROP COLUMN verdict, DROP COLUMN elapsed_ms, ADD CONSTRAINT answers_half_points_check CHECK (half_points >= 0);
ALTER TABLE participants
    ADD COLUMN shown_rank integer CHECK (shown_rank >= 1),
    ADD COLUMN previous_rank integer CHECK (previous_rank >= 1);
UPDATE participants p SET shown_rank = p.shown_ranks[s.standings_shown], previous_rank = p.shown_ranks[s.standings_shown - 1]
    FROM sessions s WHERE s.id = p.session_id;
ALTER TABLE participants DROP COLUMN shown_ranks;
ALTER TABLE session_questions DROP COLUMN seconds, DROP COLUMN paused_for, DROP COLUMN paused_at, DROP COLUMN voided;
ALTER TABLE sessions DROP COLUMN results_token, DROP COLUMN standings_shown, DROP COLUMN finished_from, DROP COLUMN round_from, DROP COLUMN options;
