-- Pages of all users' orders, newest first. Status and symbol are looked at along the way: an index on what changes with
-- every step would cost each of them more than it saves a search.
CREATE INDEX orders_of_all_by_time ON orders (submitted_at DESC, user_id DESC, client_order_id DESC);

-- Since when an order waits for a person; null when it does not.
ALTER TABLE orders ADD COLUMN attention_since timestamptz;
UPDATE orders SET attention_since = coalesce(state ->> 'finalAt', state ->> 'changedAt')::timestamptz WHERE status = 'FAILED';
CREATE INDEX orders_in_attention ON orders (attention_since DESC, user_id DESC, client_order_id DESC)
    WHERE attention_since IS NOT NULL;
