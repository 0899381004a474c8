-- What a FIX session remembers longer than the process that has it lives. Workers write it through the gateway.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'berth_gateway') THEN
        RAISE EXCEPTION 'A role of Berth is missing: as a superuser of PostgreSQL, run postgres-roles.sql in this database'
            USING HINT = 'docs/settings.md, "Roles in PostgreSQL", has the command.';
    END IF;
END $$;

CREATE TABLE fix_sessions (
    user_id     text        NOT NULL,
    account     text        NOT NULL, -- broker/market/environment/accountId
    epoch       bigint      NOT NULL, -- of the worker that may write; an earlier one is refused
    next_sender int         NOT NULL DEFAULT 1, -- MsgSeqNum of the next message to the counterparty
    next_target int         NOT NULL DEFAULT 1, -- of the next one from it; every earlier one is with its order
    created_at  timestamptz NOT NULL, -- when both were 1
    PRIMARY KEY (user_id, account)
);

-- Messages to the counterparty, each stored before it is written; none of the session's own, such as a Logon.
CREATE TABLE fix_messages (
    user_id text        NOT NULL,
    account text        NOT NULL,
    serial  bigint      GENERATED ALWAYS AS IDENTITY,
    number  int         NOT NULL, -- MsgSeqNum, which begins anew with a reset
    text    text        NOT NULL,
    at      timestamptz NOT NULL,
    PRIMARY KEY (user_id, account, serial)
);

-- Orders that work at the counterparty, by the reports that counted.
CREATE TABLE fix_orders (
    user_id         text NOT NULL,
    account         text NOT NULL,
    client_order_id text NOT NULL, -- with its version, as sent
    PRIMARY KEY (user_id, account, client_order_id)
);

-- A counterparty of FIX has no question for executions.
CREATE TABLE fix_executions (
    user_id         text        NOT NULL,
    account         text        NOT NULL,
    client_order_id text        NOT NULL,
    execution_id    text        NOT NULL,
    content         jsonb       NOT NULL,
    at              timestamptz NOT NULL, -- when it was stored
    PRIMARY KEY (user_id, account, client_order_id, execution_id)
);
CREATE INDEX fix_executions_by_time ON fix_executions (user_id, account, at);

-- A gateway serves processes with foreign code in them: it reaches these tables and no others.
GRANT SELECT, INSERT, UPDATE, DELETE ON fix_sessions, fix_messages, fix_orders, fix_executions TO berth_gateway;
GRANT SELECT ON fix_sessions, fix_messages, fix_orders, fix_executions TO berth_reader;
