-- What an order's workflow records, as one statement and one commit.

-- Books an execution: the last report of a known execution counts; a bust stays. True for a new one, false for a correction,
-- null when the ledger says the same.
CREATE FUNCTION book_fill(
    owner text, id text, execution text, version int, booked numeric, paid numeric, since timestamptz, is_bust boolean
) RETURNS boolean LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO fills (user_id, client_order_id, execution_id, order_version, quantity, price, at, busted)
    VALUES (owner, id, execution, version, booked, paid, since, is_bust)
    ON CONFLICT (user_id, client_order_id, execution_id) DO UPDATE
        SET busted = excluded.busted,
            quantity = CASE WHEN excluded.busted THEN fills.quantity ELSE excluded.quantity END,
            price = CASE WHEN excluded.busted THEN fills.price ELSE excluded.price END
        WHERE NOT fills.busted AND (excluded.busted
            OR (fills.quantity, fills.price) IS DISTINCT FROM (excluded.quantity, excluded.price))
    RETURNING xmax = 0
$$;

CREATE FUNCTION add_order_event(owner text, id text, step jsonb) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO order_events (user_id, client_order_id, revision, at, state)
    VALUES (owner, id, (step ->> 'revision')::int, (step ->> 'changedAt')::timestamptz, step)
    ON CONFLICT (user_id, client_order_id, revision) DO UPDATE
        SET at = excluded.at, state = excluded.state
        WHERE order_events.state <> excluded.state
$$;

-- Executions and steps, oldest first; the last step is the order's row. False when what is stored is newer: a workflow task
-- whose completion was lost runs again and may write another state (the cancel that it handled may be lost, or time has
-- passed), and a process that was frozen may write after its replacement. So the later position of a run wins; at the same
-- position, and in another run, the higher revision wins.
CREATE FUNCTION record_order(
    owner text, id text, hash text, attention timestamptz, executions jsonb, steps jsonb, run text, length bigint
) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    stored orders;
    element jsonb;
    state jsonb := steps -> -1;
BEGIN
    -- Before the user's position, as a late report does: else the two could wait for each other.
    SELECT * INTO stored FROM orders WHERE user_id = owner AND client_order_id = id FOR UPDATE;
    FOR element IN SELECT value FROM jsonb_array_elements(executions) LOOP
        PERFORM book_fill(owner, id, element ->> 'executionId', (element ->> 'version')::int,
            (element ->> 'quantity')::numeric, (element ->> 'price')::numeric, (element ->> 'at')::timestamptz,
            (element ->> 'busted')::boolean);
    END LOOP;
    IF stored.run_id IS DISTINCT FROM run OR stored.history_length <= length THEN
        FOR element IN SELECT value FROM jsonb_array_elements(steps) LOOP
            PERFORM add_order_event(owner, id, element);
        END LOOP;
    END IF;
    IF state IS NULL THEN
        RETURN false;
    END IF;
    INSERT INTO orders
        (user_id, client_order_id, request_hash, symbol, status, revision, submitted_at, attention_since, state, run_id,
            history_length)
    VALUES (owner, id, hash, state -> 'request' ->> 'symbol', state ->> 'status', (state ->> 'revision')::int,
        (state -> 'request' ->> 'submittedAt')::timestamptz, attention, state, run, length)
    ON CONFLICT (user_id, client_order_id) DO UPDATE
        SET status = excluded.status, revision = excluded.revision, attention_since = excluded.attention_since,
            state = excluded.state, run_id = excluded.run_id, history_length = excluded.history_length
        WHERE CASE WHEN orders.run_id = excluded.run_id AND orders.history_length <> excluded.history_length
            THEN orders.history_length < excluded.history_length
            ELSE orders.revision <= excluded.revision END;
    RETURN FOUND;
END $$;
