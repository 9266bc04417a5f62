DROP INDEX CONCURRENTLY ix_sessions_quiz;
