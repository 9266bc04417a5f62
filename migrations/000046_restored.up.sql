-- By what a database that was restored is found out: its row was written by another transaction, or its server was started at another time. Instances of before read only the epoch.
ALTER TABLE epoch
    ADD COLUMN written_by   xid,         -- the transaction that did
    ADD COLUMN served_since timestamptz; -- by the server on which it did
UPDATE epoch SET written_by = pg_current_xact_id()::xid, served_since = pg_postmaster_start_time();
