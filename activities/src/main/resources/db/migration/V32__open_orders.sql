-- Open orders, which the sweep compares with the workflows that run. In a column of its own: a step that leaves an order open
-- changes no index.
ALTER TABLE orders ADD COLUMN open boolean
    GENERATED ALWAYS AS (status NOT IN ('FILLED', 'CANCELED', 'REJECTED', 'EXPIRED', 'FAILED')) STORED;
CREATE INDEX orders_open ON orders (submitted_at, user_id, client_order_id) WHERE open;
