DROP TABLE quizzes;
