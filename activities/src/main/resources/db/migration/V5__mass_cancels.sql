-- Requests to cancel everything that a filter matches. Redis has a copy of those in effect: no order that was accepted until
-- then is sent any more.
CREATE TABLE mass_cancels (
    version      bigint      PRIMARY KEY, -- of risk_version
    name         text        NOT NULL,    -- whose orders: all, broker:alpaca, user:alice
    id           text        NOT NULL,
    filter       text        NOT NULL,    -- equal for requests that ask for the same
    request      jsonb       NOT NULL,
    at           timestamptz NOT NULL,    -- orders that were accepted later are left alone
    effective_at timestamptz,             -- when no gate let such an order pass any more
    superseded   bigint,                  -- version of the change since which it is not in effect
    UNIQUE (name, id)
);
-- Those in effect, without a read of any other: every replica reads them every second.
CREATE INDEX mass_cancels_in_effect ON mass_cancels (superseded);

GRANT SELECT ON mass_cancels TO berth_reader;
