-- Executions over an account, and what it held at the end of each day.

ALTER TABLE fills ADD COLUMN venue_order_id text;    -- of the version that was filled
ALTER TABLE fills ADD COLUMN fee            numeric; -- null when the broker does not tell it with the execution
ALTER TABLE fills ADD COLUMN fee_currency   text;
ALTER TABLE fills ADD COLUMN busted_at      timestamptz; -- by the venue's clock
-- Pages of one user's executions, newest first; the ids make the order of equal times stable.
CREATE INDEX fills_by_time ON fills (user_id, at DESC, execution_id DESC, client_order_id DESC);
CREATE INDEX fills_busted ON fills (user_id, busted_at) WHERE busted;
-- Whose an execution among the account's activities is.
CREATE INDEX fills_by_venue_order ON fills (user_id, venue_order_id);

ALTER TABLE account_activities ADD COLUMN seen_as_of timestamptz; -- asOf of the first report that lists it
CREATE INDEX account_executions_by_time ON account_activities (user_id, at DESC, activity_id DESC)
    WHERE content ->> 'kind' = 'FILL';

-- The last report of each day (UTC), and as the day -infinity the first report of all: where the first statement begins.
CREATE TABLE account_days (
    user_id   text        NOT NULL,
    account   text        NOT NULL,
    day       date        NOT NULL,
    epoch     bigint      NOT NULL,
    as_of     timestamptz NOT NULL, -- what was executed earlier is in it, and nothing that was executed later
    balances  jsonb       NOT NULL,
    positions jsonb       NOT NULL,
    PRIMARY KEY (user_id, account, day)
);
GRANT SELECT ON account_days TO berth_reader;

CREATE FUNCTION order_account(state jsonb) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat_ws('/', state #>> '{request,account,broker}', state #>> '{request,account,market}',
        lower(state #>> '{request,account,environment}'), state #>> '{request,account,accountId}')
$$;

-- Executions of Berth's own orders: the ledger.
CREATE VIEW own_executions AS
    SELECT f.user_id, order_account(o.state) AS account, f.at, f.execution_id AS id, f.client_order_id AS order_id,
        f.execution_id, coalesce(f.venue_order_id, o.state ->> 'venueOrderId') AS venue_order_id, o.symbol,
        o.state #>> '{request,side}' AS side, f.quantity, f.price, f.fee, f.fee_currency, f.busted, f.busted_at
    FROM fills f JOIN orders o USING (user_id, client_order_id);
-- Those of orders that were made elsewhere. An order is Berth's when the ledger has one of its executions.
CREATE VIEW foreign_executions AS
    SELECT a.user_id, a.account, a.at, a.activity_id AS id, ''::text AS order_id,
        coalesce(a.content ->> 'executionId', a.activity_id) AS execution_id, a.content ->> 'venueOrderId' AS venue_order_id,
        a.content ->> 'symbol' AS symbol, CASE WHEN a.content ->> 'side' LIKE 'sell%' THEN 'sell' ELSE 'buy' END AS side,
        (a.content ->> 'quantity')::numeric AS quantity, (a.content ->> 'price')::numeric AS price, NULL::numeric AS fee,
        NULL::text AS fee_currency, false AS busted, NULL::timestamptz AS busted_at
    FROM account_activities a
    WHERE a.content ->> 'kind' = 'FILL' AND num_nulls(a.content ->> 'symbol', a.content ->> 'quantity', a.content ->> 'price') = 0
      AND NOT EXISTS (SELECT FROM fills f WHERE f.user_id = a.user_id AND f.venue_order_id = a.content ->> 'venueOrderId');
-- Each execution of a user once.
CREATE VIEW account_executions AS SELECT * FROM own_executions UNION ALL SELECT * FROM foreign_executions;
GRANT SELECT ON own_executions, foreign_executions, account_executions TO berth_reader;

-- Books an execution: the last report of a known execution counts; a bust stays. True for a new one, false for a correction,
-- null when the ledger says the same, or only lacked its fee.
CREATE FUNCTION book_execution(owner text, id text, execution jsonb) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    since   timestamptz := (execution ->> 'at')::timestamptz;
    is_bust boolean     := (execution ->> 'busted')::boolean;
    is_new  boolean;
BEGIN
    INSERT INTO fills AS known (user_id, client_order_id, execution_id, order_version, quantity, price, at, busted, busted_at,
            venue_order_id, fee, fee_currency)
        VALUES (owner, id, execution ->> 'executionId', (execution ->> 'version')::int, (execution ->> 'quantity')::numeric,
            (execution ->> 'price')::numeric, since, is_bust, CASE WHEN is_bust THEN since END, execution ->> 'venueOrderId',
            (execution #>> '{fee,amount}')::numeric, execution #>> '{fee,currency}')
    ON CONFLICT (user_id, client_order_id, execution_id) DO UPDATE
        SET busted = excluded.busted, busted_at = excluded.busted_at,
            quantity = CASE WHEN excluded.busted THEN known.quantity ELSE excluded.quantity END,
            price = CASE WHEN excluded.busted THEN known.price ELSE excluded.price END
        WHERE NOT known.busted AND (excluded.busted
            OR (known.quantity, known.price) IS DISTINCT FROM (excluded.quantity, excluded.price))
    RETURNING xmax = 0 INTO is_new;
    IF is_new IS DISTINCT FROM true AND NOT is_bust THEN
        UPDATE fills AS known
            SET venue_order_id = coalesce(known.venue_order_id, execution ->> 'venueOrderId'),
                fee = coalesce((execution #>> '{fee,amount}')::numeric, known.fee),
                fee_currency = coalesce(execution #>> '{fee,currency}', known.fee_currency)
            WHERE user_id = owner AND client_order_id = id AND execution_id = execution ->> 'executionId' AND NOT busted
              AND ((known.venue_order_id IS NULL AND execution ->> 'venueOrderId' IS NOT NULL)
                OR (known.fee, known.fee_currency) IS DISTINCT FROM (coalesce((execution #>> '{fee,amount}')::numeric, known.fee),
                    coalesce(execution #>> '{fee,currency}', known.fee_currency)));
    END IF;
    RETURN is_new;
END $$;

-- As before, with book_execution.
CREATE OR REPLACE FUNCTION record_order(
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
        PERFORM book_execution(owner, id, element);
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

-- Keeps a report as its day's last. A report that lists an execution from after its asOf may have it in balances and
-- positions or not: the report that follows each execution tells, and this one is passed over.
CREATE FUNCTION record_account_day(owner text, key text, worker bigint, since timestamptz, report jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF jsonb_typeof(report -> 'balances') IS DISTINCT FROM 'object' OR jsonb_typeof(report -> 'positions') IS DISTINCT FROM 'array'
        OR EXISTS (
            SELECT FROM jsonb_array_elements(report -> 'activities') activity
            WHERE activity ->> 'kind' = 'FILL' AND (activity ->> 'at')::timestamptz >= since
        ) THEN
        RETURN;
    END IF;
    INSERT INTO account_days (user_id, account, day, epoch, as_of, balances, positions)
        SELECT owner, key, '-infinity', worker, since, report -> 'balances', report -> 'positions'
        WHERE NOT EXISTS (SELECT FROM account_days WHERE user_id = owner AND account = key);
    INSERT INTO account_days AS last (user_id, account, day, epoch, as_of, balances, positions)
        VALUES (owner, key, (since AT TIME ZONE 'UTC')::date, worker, since, report -> 'balances', report -> 'positions')
    ON CONFLICT (user_id, account, day) DO UPDATE
        SET epoch = excluded.epoch, as_of = excluded.as_of, balances = excluded.balances, positions = excluded.positions
        WHERE (last.epoch, last.as_of) < (excluded.epoch, excluded.as_of);
END $$;

-- As before, with record_account_day and the report that first lists an activity.
CREATE OR REPLACE FUNCTION record_account(owner text, key text, worker bigint, report jsonb) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    since timestamptz := (report ->> 'asOf')::timestamptz;
    changed boolean;
BEGIN
    -- One report of an account at a time: two would wait for each other, over its rows and the user's position.
    PERFORM pg_advisory_xact_lock(hashtextextended('account ' || owner || ' ' || key, 0));
    INSERT INTO account_activities (user_id, account, activity_id, at, content, seen_as_of)
        SELECT owner, key, activity ->> 'activityId', (activity ->> 'at')::timestamptz, activity, since
        FROM jsonb_array_elements(report -> 'activities') activity
        ORDER BY activity ->> 'activityId'
        ON CONFLICT DO NOTHING;
    PERFORM record_account_day(owner, key, worker, since, report);
    changed := record_account_part(owner, key, 'BALANCES', worker, since, nullif(report -> 'balances', 'null'));
    changed := record_account_part(owner, key, 'POSITIONS', worker, since, nullif(report -> 'positions', 'null')) OR changed;
    RETURN record_account_part(owner, key, 'ORDERS', worker, since, nullif(report -> 'orders', 'null')) OR changed;
END $$;
