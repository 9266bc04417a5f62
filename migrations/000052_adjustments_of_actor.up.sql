-- Deleting an account leaves the points that it gave and took in others' sessions, which it has to find.
CREATE INDEX CONCURRENTLY ix_adjustments_actor ON adjustments (actor_id) WHERE actor_id IS NOT NULL;
