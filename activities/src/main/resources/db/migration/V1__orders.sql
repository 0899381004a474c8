-- The read model of orders. Temporal's histories are the truth; every row here can be written again from them.

CREATE TABLE orders (
    user_id         text        NOT NULL,
    client_order_id text        NOT NULL,
    request_hash    text        NOT NULL,
    symbol          text        NOT NULL,
    status          text        NOT NULL,
    revision        int         NOT NULL,
    submitted_at    timestamptz NOT NULL,
    state           jsonb       NOT NULL,
    PRIMARY KEY (user_id, client_order_id)
);

-- Pages of one user's orders, newest first; the id makes the order of equal times stable.
CREATE INDEX orders_by_time ON orders (user_id, submitted_at DESC, client_order_id DESC);

-- One row a step; a step that is told twice is written once.
CREATE TABLE order_events (
    user_id         text        NOT NULL,
    client_order_id text        NOT NULL,
    revision        int         NOT NULL,
    at              timestamptz NOT NULL,
    state           jsonb       NOT NULL,
    PRIMARY KEY (user_id, client_order_id, revision)
);
