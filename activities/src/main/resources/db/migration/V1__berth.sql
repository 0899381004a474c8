-- Berth's tables, functions and grants.

DO $$
BEGIN
    IF (SELECT count(*) FROM pg_roles WHERE rolname IN ('berth_owner', 'berth_api', 'berth_reader')) < 3 THEN
        RAISE EXCEPTION 'A role of Berth is missing: as a superuser of PostgreSQL, run postgres-roles.sql in this database'
            USING HINT = 'docs/settings.md, "Roles in PostgreSQL", has the command.';
    END IF;
END $$;

-- The read model of orders. Temporal's histories are the truth; every row here can be written again from them.
CREATE TABLE orders (
    user_id         text        NOT NULL,
    client_order_id text        NOT NULL,
    request_hash    text        NOT NULL,
    symbol          text        NOT NULL,
    status          text        NOT NULL,
    revision        int         NOT NULL,
    submitted_at    timestamptz NOT NULL,
    state           jsonb       NOT NULL,
    attention_since timestamptz,                   -- since when the order waits for a person; null when it does not
    -- Where in its history the order stood when it was written: a write from an earlier position is dropped.
    run_id          text        NOT NULL DEFAULT '',
    history_length  bigint      NOT NULL DEFAULT 0,
    -- In a column of its own: a step that leaves an order open changes no index.
    open            boolean     GENERATED ALWAYS AS
        (status NOT IN ('FILLED', 'CANCELED', 'REJECTED', 'EXPIRED', 'FAILED')) STORED,
    PRIMARY KEY (user_id, client_order_id)
);
-- Pages of one user's orders, newest first; the id makes the order of equal times stable.
CREATE INDEX orders_by_time ON orders (user_id, submitted_at DESC, client_order_id DESC);
-- Pages of all users' orders, newest first. Status and symbol are filtered during the scan: an index on what changes with
-- every step would cost each step more than it saves a search.
CREATE INDEX orders_of_all_by_time ON orders (submitted_at DESC, user_id DESC, client_order_id DESC);
CREATE INDEX orders_in_attention ON orders (attention_since DESC, user_id DESC, client_order_id DESC)
    WHERE attention_since IS NOT NULL;
-- The sweep compares open orders with the workflows that run.
CREATE INDEX orders_open ON orders (submitted_at, user_id, client_order_id) WHERE open;

-- One row per step; a step that is reported twice is written once.
CREATE TABLE order_events (
    user_id         text        NOT NULL,
    client_order_id text        NOT NULL,
    revision        int         NOT NULL,
    at              timestamptz NOT NULL,
    state           jsonb       NOT NULL,
    position        bigint      NOT NULL, -- in the user's stream
    PRIMARY KEY (user_id, client_order_id, revision)
);
CREATE INDEX order_events_by_position ON order_events (user_id, position);
-- Pages of all users' events, newest first. Other conditions are filtered during the scan: an index on them would cost each
-- step more than it saves a search.
CREATE INDEX order_events_by_time ON order_events (at);

-- Every change of a suspension. Redis has a copy of those in effect.
CREATE TABLE suspensions (
    version    bigint      PRIMARY KEY, -- of risk_version
    name       text        NOT NULL,    -- a user's id, or * for all users
    suspended  boolean     NOT NULL,
    reason     text        NOT NULL,
    changed_by text        NOT NULL,
    changed_at timestamptz NOT NULL,
    superseded bigint,                  -- version of the next change of the same name; null in the newest
    signalled  boolean     NOT NULL DEFAULT false -- whether the user's lifecycle has it; unused for all users
);
CREATE UNIQUE INDEX suspensions_newest ON suspensions (name) WHERE superseded IS NULL;
-- Those in effect, without a read of any other: every replica reads them every second.
CREATE INDEX suspensions_in_effect ON suspensions (superseded) WHERE suspended;
CREATE INDEX suspensions_unsignalled ON suspensions (changed_at) WHERE NOT signalled AND superseded IS NULL;

-- Users' accounts at brokers. A removed account keeps its row, without credentials: its version is never used again.
CREATE TABLE accounts (
    user_id    text        NOT NULL,
    account    text        NOT NULL, -- broker/market/environment/accountId
    version    bigint      NOT NULL,
    key_hint   text,                 -- the masked key id; the whole one is in the ciphertext
    ciphertext text,                 -- Base64; opens for this user and this account only
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, account),
    CHECK ((key_hint IS NULL) = (ciphertext IS NULL))
);

-- The ledger of executions: one row each, however often it is reported.
CREATE TABLE fills (
    user_id         text        NOT NULL,
    client_order_id text        NOT NULL,
    execution_id    text        NOT NULL, -- the venue's own
    order_version   int         NOT NULL, -- 0, or the number of the replacement that it filled
    quantity        numeric     NOT NULL,
    price           numeric     NOT NULL,
    at              timestamptz NOT NULL, -- by the venue's clock
    busted          boolean     NOT NULL, -- the venue took it back
    position        bigint      NOT NULL, -- in the user's stream
    PRIMARY KEY (user_id, client_order_id, execution_id)
);
CREATE INDEX fills_by_position ON fills (user_id, position);

-- One row. The version grows with every change of kill_switches, risk_limits or suspensions, in the same transaction. Redis
-- has a copy of what is in effect, which can be loaded again from here; a copy of an older version is out of date.
CREATE TABLE risk_version (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version  bigint NOT NULL
);
INSERT INTO risk_version (version) VALUES (1);

-- Every change of a kill switch; the newest of a name is in effect.
CREATE TABLE kill_switches (
    version    bigint      PRIMARY KEY,
    name       text        NOT NULL, -- all, broker:alpaca, user:alice
    state      jsonb       NOT NULL, -- with who changed it, when and why
    changed_at timestamptz NOT NULL
);
CREATE INDEX kill_switches_by_name ON kill_switches (name, version DESC);

-- Every change of an account's limits; the newest of an account is in effect.
CREATE TABLE risk_limits (
    version    bigint      PRIMARY KEY,
    user_id    text        NOT NULL,
    account    text        NOT NULL, -- broker/market/environment/accountId
    limits     jsonb       NOT NULL,
    changed_by text        NOT NULL,
    changed_at timestamptz NOT NULL
);
CREATE INDEX risk_limits_by_account ON risk_limits (user_id, account, version DESC);

-- The last position in each user's stream. A position grows by commit: a transaction that takes one locks the user's row
-- until its end, so that no reader sees a later position before an earlier one.
CREATE TABLE stream_positions (
    user_id  text   PRIMARY KEY,
    position bigint NOT NULL
) WITH (fillfactor = 50);

-- The observed states of a user's worker; a row is added when the state differs from the row before.
CREATE TABLE worker_events (
    user_id  text        NOT NULL,
    position bigint      NOT NULL, -- in the user's stream
    at       timestamptz NOT NULL,
    worker   jsonb       NOT NULL,
    PRIMARY KEY (user_id, position)
);
CREATE INDEX worker_events_by_time ON worker_events (at);

-- Closed orders leave for files. A row here is committed with the deletion of the orders that stand in the file.
CREATE TABLE archive_files (
    number      bigint      PRIMARY KEY,
    archived_at timestamptz NOT NULL,
    orders      int         NOT NULL, -- that were deleted with this row
    bytes       bigint      NOT NULL
);

-- Client order ids that stay used after their orders left, and the files of those orders.
CREATE TABLE archived_orders (
    user_id         text   NOT NULL,
    client_order_id text   NOT NULL,
    file_number     bigint NOT NULL,
    PRIMARY KEY (user_id, client_order_id)
);
CREATE INDEX archived_orders_by_file ON archived_orders (file_number);

-- Users whose workers are of another kind than those of all others. A user without a row is in the default group.
CREATE TABLE user_groups (
    user_id    text        PRIMARY KEY,
    group_name text        NOT NULL,
    changed_at timestamptz NOT NULL
);
CREATE INDEX user_groups_by_group ON user_groups (group_name, user_id);

-- Who did what. Rows are only ever added, and each holds the hash of the row before in its chain, so that a row that is
-- changed or removed later is found. Users have a chain of their own: a kill switch never waits for what they write.
CREATE TABLE audit (
    chain         text        NOT NULL CHECK (chain IN ('OPERATORS', 'USERS')),
    number        bigint      NOT NULL,    -- from 1 in each chain, without a gap
    at            timestamptz NOT NULL,    -- by the clock of PostgreSQL
    actor         text        NOT NULL,    -- the subject of the token
    scope         text        NOT NULL,    -- the scopes of the token
    action        text        NOT NULL,
    user_id       text,                    -- whom it concerns; null: all users, or a broker
    outcome       text        NOT NULL,    -- DONE: committed with this row; REQUESTED: the effect comes after this row
    detail        text        NOT NULL,
    request_id    text,
    previous_hash text        NOT NULL,    -- of the row before in the chain; 64 zeros in the first
    hash          text        NOT NULL,    -- SHA-256, hexadecimal
    PRIMARY KEY (chain, number)
);
CREATE INDEX audit_by_time ON audit (at DESC, chain DESC, number DESC);
CREATE INDEX audit_by_user ON audit (user_id, at DESC);
CREATE INDEX audit_by_actor ON audit (actor, at DESC);

-- Where a user is notified of orders. Webhooks of the operators have the user_id @fleet: they are notified of every user's
-- orders, of kill switches, workers in attention and alarms.
CREATE TABLE webhooks (
    user_id    text        NOT NULL,
    name       text        NOT NULL,
    url        text        NOT NULL,
    events     text[]      NOT NULL,
    ciphertext text        NOT NULL, -- the signing secret; opens for this user and this name only
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, name)
);

-- Messages that are not delivered yet; a delivered one is deleted. DEAD: given up, until it is sent again or 14 days old.
CREATE TABLE webhook_messages (
    user_id    text        NOT NULL,
    name       text        NOT NULL,
    id         text        NOT NULL, -- the same in every attempt
    event      text        NOT NULL,
    state      jsonb,                -- the order, or what else the event is about; null for a test
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

-- Users whose workers die too often, as Temporal's visibility lists them; the operators are notified of a row once. Lists of
-- two replicas may differ for a moment, so a row stays for a minute after the last list that had it.
CREATE TABLE workers_in_attention (
    user_id      text        PRIMARY KEY,
    since        timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL
);

CREATE FUNCTION take_position() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO stream_positions AS taken (user_id, position) VALUES (NEW.user_id, 1)
        ON CONFLICT (user_id) DO UPDATE SET position = taken.position + 1 RETURNING position INTO NEW.position;
    RETURN NEW;
END $$;
-- A change takes a new position: the stream shows the row again, behind all earlier ones.
CREATE TRIGGER take_position BEFORE INSERT OR UPDATE OF state ON order_events
    FOR EACH ROW EXECUTE FUNCTION take_position();
CREATE TRIGGER take_position BEFORE INSERT OR UPDATE OF busted ON fills
    FOR EACH ROW EXECUTE FUNCTION take_position();
CREATE TRIGGER take_position BEFORE INSERT ON worker_events
    FOR EACH ROW EXECUTE FUNCTION take_position();

-- A field with its length, so that no text can move from one field into the next.
CREATE FUNCTION audit_field(value text) RETURNS text LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS
$$ SELECT coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '-') $$;

-- AuditChainCheck computes the same.
CREATE FUNCTION audit_hash(entry audit) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT encode(sha256(convert_to(
        audit_field(entry.previous_hash) || audit_field(entry.chain) || audit_field(entry.number::text)
        || audit_field((extract(epoch FROM entry.at) * 1000000)::bigint::text) || audit_field(entry.actor)
        || audit_field(entry.scope) || audit_field(entry.action) || audit_field(entry.user_id)
        || audit_field(entry.outcome) || audit_field(entry.detail) || audit_field(entry.request_id), 'UTF8')), 'hex')
$$;

CREATE FUNCTION audit_append() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    last record;
BEGIN
    -- Until the end of the transaction: two rows of a chain must not follow the same one.
    PERFORM pg_advisory_xact_lock(CASE NEW.chain WHEN 'USERS' THEN 4207849485 ELSE 4207849484 END);
    SELECT number, hash INTO last FROM audit WHERE chain = NEW.chain ORDER BY number DESC LIMIT 1;
    NEW.number := coalesce(last.number, 0) + 1;
    NEW.at := clock_timestamp();
    NEW.previous_hash := coalesce(last.hash, repeat('0', 64));
    NEW.hash := audit_hash(NEW);
    RETURN NEW;
END $$;
CREATE TRIGGER audit_append BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION audit_append();

-- For the owner too, who must disable the trigger first.
CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit is append-only: % is refused', TG_OP;
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();

-- Messages are added in the transaction that writes the row, so that none is missed and none is sent twice. A webhook that
-- is being removed is skipped: no order and no kill switch waits for it.
-- In FROM, unnest(events) comes first: after webhooks, the variable would be ambiguous with the column webhooks.events.
CREATE FUNCTION webhook_notify() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    events text[] := '{}';
BEGIN
    IF TG_OP = 'INSERT' OR OLD.status IS DISTINCT FROM NEW.status THEN
        IF NEW.status IN ('FILLED', 'CANCELED', 'REJECTED', 'EXPIRED', 'FAILED') THEN
            events := events || 'order.final'::text;
        END IF;
        IF NEW.status = 'FAILED' THEN
            events := events || 'order.failed'::text;
        END IF;
    END IF;
    IF NEW.attention_since IS NOT NULL
            AND (TG_OP = 'INSERT' OR OLD.attention_since IS DISTINCT FROM NEW.attention_since) THEN
        events := events || 'order.attention'::text;
    END IF;
    IF events <> '{}' THEN
        INSERT INTO webhook_messages (user_id, name, id, event, state, created_at, status, round)
        SELECT hook.user_id, hook.name,
            'msg_' || md5(concat_ws(':', hook.name, event, NEW.user_id, NEW.client_order_id, NEW.revision, NEW.status,
                NEW.attention_since)),
            event, NEW.state, clock_timestamp(), 'WAITING', 0
        FROM unnest(events) AS event, webhooks hook
        WHERE hook.user_id IN (NEW.user_id, '@fleet') AND event = ANY (hook.events)
        FOR KEY SHARE OF hook SKIP LOCKED
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER webhook_notify AFTER INSERT OR UPDATE OF status, attention_since ON orders
    FOR EACH ROW EXECUTE FUNCTION webhook_notify();

CREATE FUNCTION webhook_notify_fleet(event text, event_key text, content jsonb) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO webhook_messages (user_id, name, id, event, state, created_at, status, round)
    SELECT hook.user_id, hook.name, 'msg_' || md5(hook.name || ':' || event || ':' || event_key), event, content,
        clock_timestamp(), 'WAITING', 0
    FROM webhooks hook WHERE hook.user_id = '@fleet' AND event = ANY (hook.events)
    FOR KEY SHARE OF hook SKIP LOCKED
    ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION webhook_notify_switch() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM webhook_notify_fleet('kill_switch.changed', NEW.version::text, NEW.state);
    RETURN NULL;
END $$;
CREATE TRIGGER webhook_notify_switch AFTER INSERT ON kill_switches FOR EACH ROW EXECUTE FUNCTION webhook_notify_switch();

CREATE FUNCTION webhook_notify_worker() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM webhook_notify_fleet('worker.attention', NEW.user_id || ':' || NEW.since,
        jsonb_build_object('userId', NEW.user_id, 'since', to_char(NEW.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')));
    RETURN NULL;
END $$;
CREATE TRIGGER webhook_notify_worker AFTER INSERT ON workers_in_attention
    FOR EACH ROW EXECUTE FUNCTION webhook_notify_worker();

-- The application reads and writes every table, but only adds to the audit. A table of a later migration is granted to it by
-- default; to the reader, that migration has to grant it.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO berth_api;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO berth_api;
REVOKE ALL ON audit FROM berth_api;
GRANT SELECT, INSERT ON audit TO berth_api;
REVOKE ALL ON flyway_schema_history FROM berth_api;
-- Without ciphertexts.
GRANT SELECT ON orders, order_events, fills, suspensions, risk_version, kill_switches, risk_limits, audit, stream_positions,
    worker_events, archive_files, archived_orders, user_groups, webhook_messages, workers_in_attention TO berth_reader;
GRANT SELECT (user_id, account, version, key_hint, changed_at) ON accounts TO berth_reader;
GRANT SELECT (user_id, name, url, events, changed_at) ON webhooks TO berth_reader;
