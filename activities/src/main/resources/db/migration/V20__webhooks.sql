-- Where a user wants to be told of orders, and the messages that are not delivered yet.
CREATE TABLE webhooks (
    user_id    text        NOT NULL,
    name       text        NOT NULL,
    url        text        NOT NULL,
    events     text[]      NOT NULL,
    ciphertext text        NOT NULL, -- the signing secret; opens for this user and this name only
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, name)
);

-- A message is deleted when it is delivered. DEAD: given up, until it is sent again or 14 days old.
CREATE TABLE webhook_messages (
    user_id    text        NOT NULL,
    name       text        NOT NULL,
    id         text        NOT NULL, -- the same in every attempt
    event      text        NOT NULL,
    state      jsonb,                -- the order; null for a test
    created_at timestamptz NOT NULL,
    status     text        NOT NULL CHECK (status IN ('WAITING', 'SENDING', 'DEAD')),
    round      int         NOT NULL, -- grows when the message is sent again
    reason     text,                 -- why it is dead
    sent_at    timestamptz,          -- when its workflow was started; null while it waits
    PRIMARY KEY (user_id, name, id),
    FOREIGN KEY (user_id, name) REFERENCES webhooks ON DELETE CASCADE
);
CREATE INDEX webhook_messages_waiting ON webhook_messages (user_id, created_at) WHERE status = 'WAITING';
CREATE INDEX webhook_messages_sending ON webhook_messages (user_id, sent_at) WHERE status = 'SENDING';
CREATE INDEX webhook_messages_dead ON webhook_messages (user_id, created_at) WHERE status = 'DEAD';

-- In the transaction that writes the order, so that none is missed and none is told twice.
CREATE FUNCTION webhook_tell() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
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
        SELECT NEW.user_id, hook.name, 'msg_' || md5(hook.name || ':' || event || ':' || NEW.client_order_id || ':' || NEW.revision),
            event, NEW.state, clock_timestamp(), 'WAITING', 0
        FROM webhooks hook, unnest(told) AS event
        WHERE hook.user_id = NEW.user_id AND event = ANY (hook.events)
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER webhook_tell AFTER INSERT OR UPDATE OF status, attention_since ON orders
    FOR EACH ROW EXECUTE FUNCTION webhook_tell();

GRANT SELECT (user_id, name, url, events, changed_at) ON webhooks TO berth_reader;
GRANT SELECT ON webhook_messages TO berth_reader;
