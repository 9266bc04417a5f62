DROP TABLE plan_invitations, plan_hosts, billing_reconciliation, stripe_events, checkouts, subscriptions, stripe_customers;
DROP SEQUENCE stripe_looks;
