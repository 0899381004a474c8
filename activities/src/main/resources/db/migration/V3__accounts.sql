-- What is in users' accounts at their brokers, as workers reported it last.
CREATE TABLE account_parts (
    user_id  text        NOT NULL,
    account  text        NOT NULL, -- broker/market/environment/accountId
    part     text        NOT NULL CHECK (part IN ('BALANCES', 'POSITIONS', 'ORDERS')),
    epoch    bigint      NOT NULL, -- of the worker that reported it
    as_of    timestamptz NOT NULL, -- by its clock: the broker answered later than this
    content  jsonb       NOT NULL,
    position bigint      NOT NULL, -- in the user's stream
    PRIMARY KEY (user_id, account, part)
);
CREATE INDEX account_parts_by_position ON account_parts (user_id, position);
-- A report that says the same takes no new position: the stream shows changes.
CREATE TRIGGER take_position BEFORE INSERT OR UPDATE OF content ON account_parts
    FOR EACH ROW EXECUTE FUNCTION take_position();

-- Executions, fees, dividends, transfers: one row each, however often it is reported.
CREATE TABLE account_activities (
    user_id     text        NOT NULL,
    account     text        NOT NULL,
    activity_id text        NOT NULL, -- the broker's own
    at          timestamptz NOT NULL, -- by the broker's clock
    content     jsonb       NOT NULL,
    PRIMARY KEY (user_id, account, activity_id)
);
CREATE INDEX account_activities_by_time ON account_activities (user_id, account, at DESC, activity_id DESC);

-- True when the part changed. A report of an earlier epoch, or from before what is stored, changes nothing.
CREATE FUNCTION record_account_part(
    owner text, key text, name text, worker bigint, since timestamptz, reported jsonb
) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF reported IS NULL THEN
        RETURN false;
    END IF;
    UPDATE account_parts SET epoch = worker, as_of = since
        WHERE user_id = owner AND account = key AND part = name AND content = reported AND (epoch, as_of) < (worker, since);
    IF FOUND OR EXISTS (
        SELECT FROM account_parts
        WHERE user_id = owner AND account = key AND part = name AND (epoch, as_of) >= (worker, since)
    ) THEN
        RETURN false;
    END IF;
    INSERT INTO account_parts AS stored (user_id, account, part, epoch, as_of, content, position)
        VALUES (owner, key, name, worker, since, reported, 0)
    ON CONFLICT (user_id, account, part) DO UPDATE
        SET epoch = excluded.epoch, as_of = excluded.as_of, content = excluded.content;
    RETURN true;
END $$;

-- A worker's report, as one statement and one commit; true when something changed.
CREATE FUNCTION record_account(owner text, key text, worker bigint, report jsonb) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    since timestamptz := (report ->> 'asOf')::timestamptz;
    changed boolean;
BEGIN
    -- One report of an account at a time: two would wait for each other, over its rows and the user's position.
    PERFORM pg_advisory_xact_lock(hashtextextended('account ' || owner || ' ' || key, 0));
    INSERT INTO account_activities (user_id, account, activity_id, at, content)
        SELECT owner, key, activity ->> 'activityId', (activity ->> 'at')::timestamptz, activity
        FROM jsonb_array_elements(report -> 'activities') activity
        ORDER BY activity ->> 'activityId'
        ON CONFLICT DO NOTHING;
    changed := record_account_part(owner, key, 'BALANCES', worker, since, nullif(report -> 'balances', 'null'));
    changed := record_account_part(owner, key, 'POSITIONS', worker, since, nullif(report -> 'positions', 'null')) OR changed;
    RETURN record_account_part(owner, key, 'ORDERS', worker, since, nullif(report -> 'orders', 'null')) OR changed;
END $$;

GRANT SELECT ON account_parts, account_activities TO berth_reader;
