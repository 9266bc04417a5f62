DROP TABLE rejoin_codes;
