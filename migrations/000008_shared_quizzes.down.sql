ALTER TABLE quizzes DROP COLUMN share_token;
