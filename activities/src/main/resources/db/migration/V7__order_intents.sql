-- Orders that are about to be written to a broker that would take them a second time.
CREATE TABLE order_intents (
    user_id         text        NOT NULL,
    client_order_id text        NOT NULL,
    version         int         NOT NULL, -- of a replacement; 0 for the order itself
    account         text        NOT NULL, -- broker/market/environment/accountId
    symbol          text        NOT NULL,
    side            text        NOT NULL,
    quantity        numeric     NOT NULL,
    limit_price     numeric,
    stop_price      numeric,
    epoch           bigint      NOT NULL, -- of the worker that writes
    intended_at     timestamptz NOT NULL,
    venue_order_id  text, -- as the broker answered; null while that is not known
    PRIMARY KEY (user_id, client_order_id, version)
);
CREATE INDEX order_intents_in_doubt ON order_intents (user_id, account, symbol, side) WHERE venue_order_id IS NULL;
CREATE INDEX order_intents_at_venue ON order_intents (user_id, account, venue_order_id)
    WHERE venue_order_id IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON order_intents TO berth_gateway;
GRANT SELECT ON order_intents TO berth_reader;
-- Whether an order's outcome is still unknown.
GRANT SELECT (user_id, client_order_id, status) ON orders TO berth_gateway;
