-- Users whose workers are of another kind than those of all others. A user without a row is in the default group.
CREATE TABLE user_groups (
    user_id    text        PRIMARY KEY,
    group_name text        NOT NULL,
    changed_at timestamptz NOT NULL
);
CREATE INDEX user_groups_by_group ON user_groups (group_name, user_id);

GRANT SELECT ON user_groups TO berth_reader;
