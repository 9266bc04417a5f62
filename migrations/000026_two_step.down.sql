DROP TABLE user_recovery_codes, user_totp;
