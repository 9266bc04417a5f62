DROP TABLE session_log, answers, participants, session_questions, sessions, epoch;
