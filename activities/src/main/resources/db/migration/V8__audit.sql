-- Who did what. Rows are only ever added, and each holds the hash of the row before in its chain, so that a row that is
-- changed or removed later is found. Users have a chain of their own: a kill switch never waits for what they write.

DO $$
BEGIN
    IF (SELECT count(*) FROM pg_roles WHERE rolname IN ('berth_owner', 'berth_api', 'berth_reader')) < 3 THEN
        RAISE EXCEPTION 'A role of Berth is missing: as a superuser of PostgreSQL, run postgres-roles.sql in this database'
            USING HINT = 'docs/settings.md, "Roles in PostgreSQL", has the command.';
    END IF;
END $$;

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

-- The application reads and writes every table, but adds to the audit only. A table of a later migration is the
-- application's without a further word, and the reader's only once that migration says so.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO berth_api;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO berth_api;
REVOKE ALL ON audit FROM berth_api;
GRANT SELECT, INSERT ON audit TO berth_api;
REVOKE ALL ON flyway_schema_history FROM berth_api;
GRANT SELECT ON orders, order_events, fills, suspensions, risk_version, kill_switches, risk_limits, audit TO berth_reader;
GRANT SELECT (user_id, account, version, key_hint, changed_at) ON accounts TO berth_reader;
