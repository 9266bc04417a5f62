-- What somebody had when they deleted their account is kept until it is ended at Stripe: whatever else is found there was paid for afterwards, and goes back.
ALTER TABLE subscriptions ALTER user_id DROP NOT NULL,
    DROP CONSTRAINT subscriptions_user_id_fkey, ADD CONSTRAINT fk_subscriptions_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE SET NULL;

ALTER TABLE stripe_customers ADD email text; -- of which Stripe was told, to which it sends bills
