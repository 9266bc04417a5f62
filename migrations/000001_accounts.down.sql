DROP TABLE user_links, user_sessions, users;
