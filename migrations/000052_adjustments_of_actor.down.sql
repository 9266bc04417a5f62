DROP INDEX CONCURRENTLY ix_adjustments_actor;
