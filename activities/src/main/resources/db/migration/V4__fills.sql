-- The ledger of executions: one row each, however often it is told.
CREATE TABLE fills (
    user_id         text        NOT NULL,
    client_order_id text        NOT NULL,
    execution_id    text        NOT NULL, -- the venue's own
    leg             int         NOT NULL, -- 0, or the number of the replacement that it filled
    quantity        numeric     NOT NULL,
    price           numeric     NOT NULL,
    at              timestamptz NOT NULL, -- by the venue's clock
    busted          boolean     NOT NULL, -- the venue took it back
    PRIMARY KEY (user_id, client_order_id, execution_id)
);
