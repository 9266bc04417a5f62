ALTER TABLE stripe_customers DROP email;

DELETE FROM subscriptions WHERE user_id IS NULL;
ALTER TABLE subscriptions ALTER user_id SET NOT NULL,
    DROP CONSTRAINT fk_subscriptions_user, ADD CONSTRAINT subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
