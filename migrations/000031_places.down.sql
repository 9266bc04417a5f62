UPDATE sessions SET capacity = 1000 WHERE capacity > 1000;
ALTER TABLE sessions DROP CONSTRAINT ck_sessions_capacity, ADD CONSTRAINT sessions_capacity_check CHECK (capacity BETWEEN 1 AND 1000);
