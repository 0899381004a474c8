-- What a user's stream shows, each with a position that grows by commit: who takes a position holds the user's row here
-- until the end of its transaction, so that no reader sees a later position before an earlier one.

CREATE TABLE stream_positions (
    user_id  text   PRIMARY KEY,
    position bigint NOT NULL
) WITH (fillfactor = 50);

-- What was seen of a user's worker, whenever it differs from the row before.
CREATE TABLE worker_events (
    user_id  text        NOT NULL,
    position bigint      NOT NULL,
    at       timestamptz NOT NULL,
    worker   jsonb       NOT NULL,
    PRIMARY KEY (user_id, position)
);

ALTER TABLE order_events ADD COLUMN position bigint;
ALTER TABLE fills ADD COLUMN position bigint;

CREATE FUNCTION take_position() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO stream_positions AS taken (user_id, position) VALUES (NEW.user_id, 1)
        ON CONFLICT (user_id) DO UPDATE SET position = taken.position + 1 RETURNING position INTO NEW.position;
    RETURN NEW;
END $$;

-- Of an installation that had no stream.
WITH ordered AS (
    SELECT user_id, client_order_id, revision, row_number() OVER (PARTITION BY user_id ORDER BY at, client_order_id, revision) AS n
    FROM order_events)
UPDATE order_events SET position = n FROM ordered
    WHERE (order_events.user_id, order_events.client_order_id, order_events.revision)
        = (ordered.user_id, ordered.client_order_id, ordered.revision);
INSERT INTO stream_positions SELECT user_id, max(position) FROM order_events GROUP BY user_id;
UPDATE fills SET position = 0;

ALTER TABLE order_events ALTER COLUMN position SET NOT NULL;
ALTER TABLE fills ALTER COLUMN position SET NOT NULL;
CREATE INDEX order_events_by_position ON order_events (user_id, position);
CREATE INDEX fills_by_position ON fills (user_id, position);

-- What is written otherwise later is shown again, behind all that came before.
CREATE TRIGGER take_position BEFORE INSERT OR UPDATE OF state ON order_events
    FOR EACH ROW EXECUTE FUNCTION take_position();
CREATE TRIGGER take_position BEFORE INSERT OR UPDATE OF busted ON fills
    FOR EACH ROW EXECUTE FUNCTION take_position();
CREATE TRIGGER take_position BEFORE INSERT ON worker_events
    FOR EACH ROW EXECUTE FUNCTION take_position();

GRANT SELECT ON stream_positions, worker_events TO berth_reader;
