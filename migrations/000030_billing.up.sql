-- Who pays, at Stripe. An account that is deleted leaves its customer behind, until it is closed at Stripe, too.
CREATE TABLE stripe_customers (
    id         text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 255),
    user_id    bigint CONSTRAINT uq_stripe_customers_user UNIQUE REFERENCES users (id) ON DELETE SET NULL,
    look       bigint NOT NULL DEFAULT 0, -- the number of the look at Stripe that has seen what is stored: one with a lower number is not stored over it
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE SEQUENCE stripe_looks;

-- Subscriptions as they were last seen at Stripe.
CREATE TABLE subscriptions (
    id             text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 255),
    customer_id    text NOT NULL REFERENCES stripe_customers (id) ON DELETE CASCADE,
    user_id        bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    plan           text NOT NULL CHECK (plan IN ('pub', 'venue', 'chain')),
    price_id       text NOT NULL,
    "interval"     text NOT NULL CHECK ("interval" IN ('day', 'week', 'month', 'year')),
    amount         bigint NOT NULL CHECK (amount >= 0), -- in the currency's minor units
    currency       text NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
    status         text NOT NULL CHECK (status IN ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused')),
    period_end     timestamptz NOT NULL,
    cancel_at      timestamptz, -- it was cancelled, and lasts until then
    past_due_since timestamptz, -- since when we know that a payment has failed
    ended_at       timestamptz,
    created_at     timestamptz NOT NULL, -- at Stripe
    refunded       boolean NOT NULL DEFAULT false, -- a second one beside another, which was paid back and cancelled; nothing follows from it
    CONSTRAINT ck_subscriptions_past_due CHECK ((status = 'past_due') = (past_due_since IS NOT NULL))
);
CREATE UNIQUE INDEX uq_subscriptions_live ON subscriptions (user_id) WHERE NOT refunded AND status IN ('trialing', 'active', 'past_due', 'unpaid', 'paused');
CREATE INDEX ix_subscriptions_user ON subscriptions (user_id);
CREATE INDEX ix_subscriptions_customer ON subscriptions (customer_id);

-- The one page at Stripe on which a host may be about to pay. The attempt is a part of what keeps Stripe from making two of it.
CREATE TABLE checkouts (
    user_id    bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    attempt    bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT uq_checkouts_attempt UNIQUE,
    plan       text NOT NULL CHECK (plan IN ('pub', 'venue', 'chain')),
    "interval" text NOT NULL CHECK ("interval" IN ('month', 'year')),
    price_id   text NOT NULL,
    session_id text -- at Stripe, once it is known
);

-- Events whose effect is in the database. Stripe sends one again for three days, until it was told that it arrived.
CREATE TABLE stripe_events (
    id          text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 255),
    received_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ix_stripe_events_received_at ON stripe_events (received_at);

-- When everything is next to be compared with Stripe, by whichever instance claims it.
CREATE TABLE billing_reconciliation (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    due_at   timestamptz NOT NULL DEFAULT now()
);
INSERT INTO billing_reconciliation DEFAULT VALUES;

-- Hosts of somebody else's plan: of one plan at most, and never of one's own.
CREATE TABLE plan_hosts (
    user_id       bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    subscriber_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    since         timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT ck_plan_hosts_other CHECK (user_id <> subscriber_id)
);
CREATE INDEX ix_plan_hosts_subscriber ON plan_hosts (subscriber_id);

CREATE TABLE plan_invitations (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subscriber_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    email         text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
    email_key     text NOT NULL, -- folded, as in users
    expires_at    timestamptz NOT NULL,
    CONSTRAINT uq_plan_invitations_address UNIQUE (subscriber_id, email_key)
);
CREATE INDEX ix_plan_invitations_email_key ON plan_invitations (email_key);
