DROP TABLE spent_attempts, user_identities;
