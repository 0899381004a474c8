-- What may be sent. Redis has a copy of both tables, and of who is suspended (V2), which is loaded again from here.

-- Grows with every change of those, in the same transaction: one row. A copy of an older version is out of date.
CREATE TABLE risk_version (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version  bigint NOT NULL
);
INSERT INTO risk_version (version) VALUES (1);

-- Every change of a kill switch; the newest of a name is how it stands.
CREATE TABLE kill_switches (
    version    bigint      PRIMARY KEY,
    name       text        NOT NULL, -- all, broker:alpaca, user:alice
    state      jsonb       NOT NULL, -- with who wanted it so, when and why
    changed_at timestamptz NOT NULL
);
CREATE INDEX kill_switches_by_name ON kill_switches (name, version DESC);

-- Every change of an account's limits; the newest of an account counts.
CREATE TABLE risk_limits (
    version    bigint      PRIMARY KEY,
    user_id    text        NOT NULL,
    account    text        NOT NULL, -- broker/market/environment/accountId
    limits     jsonb       NOT NULL,
    changed_by text        NOT NULL,
    changed_at timestamptz NOT NULL
);
CREATE INDEX risk_limits_by_account ON risk_limits (user_id, account, version DESC);
