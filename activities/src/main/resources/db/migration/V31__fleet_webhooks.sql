-- Webhooks of the operators have the user_id @fleet: they are told of every user's orders, and of what follows.
-- A webhook that is being removed is skipped: no order and no kill switch waits for it.
CREATE FUNCTION webhook_tell_fleet(told text, told_key text, content jsonb) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO webhook_messages (user_id, name, id, event, state, created_at, status, round)
    SELECT hook.user_id, hook.name, 'msg_' || md5(hook.name || ':' || told || ':' || told_key), told, content,
        clock_timestamp(), 'WAITING', 0
    FROM webhooks hook WHERE hook.user_id = '@fleet' AND told = ANY (hook.events)
    FOR KEY SHARE OF hook SKIP LOCKED
    ON CONFLICT DO NOTHING
$$;

CREATE OR REPLACE FUNCTION webhook_tell() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    told text[] := '{}';
BEGIN
    IF TG_OP = 'INSERT' OR OLD.status IS DISTINCT FROM NEW.status THEN
        IF NEW.status IN ('FILLED', 'CANCELED', 'REJECTED', 'EXPIRED', 'FAILED') THEN
            told := told || 'order.final'::text;
        END IF;
        IF NEW.status = 'FAILED' THEN
            told := told || 'order.failed'::text;
        END IF;
    END IF;
    IF NEW.attention_since IS NOT NULL
            AND (TG_OP = 'INSERT' OR OLD.attention_since IS DISTINCT FROM NEW.attention_since) THEN
        told := told || 'order.attention'::text;
    END IF;
    IF told <> '{}' THEN
        INSERT INTO webhook_messages (user_id, name, id, event, state, created_at, status, round)
        SELECT hook.user_id, hook.name,
            'msg_' || md5(concat_ws(':', hook.name, event, NEW.user_id, NEW.client_order_id, NEW.revision, NEW.status,
                NEW.attention_since)),
            event, NEW.state, clock_timestamp(), 'WAITING', 0
        FROM webhooks hook, unnest(told) AS event
        WHERE hook.user_id IN (NEW.user_id, '@fleet') AND event = ANY (hook.events)
        FOR KEY SHARE OF hook SKIP LOCKED
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION webhook_tell_switch() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM webhook_tell_fleet('kill_switch.changed', NEW.version::text, NEW.state);
    RETURN NULL;
END $$;
CREATE TRIGGER webhook_tell_switch AFTER INSERT ON kill_switches FOR EACH ROW EXECUTE FUNCTION webhook_tell_switch();

-- Users whose workers die too often, as Temporal's visibility lists them; a row is told once. Lists of two replicas may differ
-- for a moment, so a row stays for a minute after it was seen last.
CREATE TABLE workers_in_attention (
    user_id text        PRIMARY KEY,
    since   timestamptz NOT NULL,
    seen    timestamptz NOT NULL
);
CREATE FUNCTION webhook_tell_worker() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM webhook_tell_fleet('worker.attention', NEW.user_id || ':' || NEW.since,
        jsonb_build_object('userId', NEW.user_id, 'since', to_char(NEW.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')));
    RETURN NULL;
END $$;
CREATE TRIGGER webhook_tell_worker AFTER INSERT ON workers_in_attention
    FOR EACH ROW EXECUTE FUNCTION webhook_tell_worker();

GRANT SELECT ON workers_in_attention TO berth_reader;
