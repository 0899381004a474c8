-- Closed orders leave for files. A row here is committed with the deletion of the orders that stand in the file.
CREATE TABLE archive_files (
    number      bigint      PRIMARY KEY,
    archived_at timestamptz NOT NULL,
    orders      int         NOT NULL, -- that were deleted with this row
    bytes       bigint      NOT NULL
);

-- Client order ids that stay used after their orders left, and where those are.
CREATE TABLE archived_orders (
    user_id         text   NOT NULL,
    client_order_id text   NOT NULL,
    file_number     bigint NOT NULL,
    PRIMARY KEY (user_id, client_order_id)
);
CREATE INDEX archived_orders_by_file ON archived_orders (file_number);

GRANT SELECT ON archive_files, archived_orders TO berth_reader;
