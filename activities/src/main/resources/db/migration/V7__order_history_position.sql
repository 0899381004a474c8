-- Where in its history an order stood when it was written: a write from before that is dropped, whenever it comes.
ALTER TABLE orders ADD COLUMN run_id text NOT NULL DEFAULT '', ADD COLUMN history_length bigint NOT NULL DEFAULT 0;
