-- Every change of a suspension. Redis has a copy of those that last (V5).
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
-- Those that last, without a look at any other: every replica reads them every second.
CREATE INDEX suspensions_in_effect ON suspensions (superseded) WHERE suspended;
CREATE INDEX suspensions_unsignalled ON suspensions (changed_at) WHERE NOT signalled AND superseded IS NULL;
