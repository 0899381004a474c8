package dev.berth.acceptance.bench;

import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The bytes of orders on PostgreSQL's disk: rows, events, fills, and the dead rows of each update.
 *
 * @param all the bytes of tables and indices
 * @param indices the bytes of the indices
 */
record OrderSpace(long all, long indices) {
    private static final String READ = """
            SELECT sum(pg_total_relation_size(name::regclass)) AS whole, sum(pg_indexes_size(name::regclass)) AS indices
            FROM unnest(ARRAY['orders', 'order_events', 'fills']) AS name
            """;

    /** @throws IOException when PostgreSQL does not answer */
    static OrderSpace now(Stack stack) throws IOException {
        try (Connection postgres = stack.openPostgres();
                Statement query = postgres.createStatement();
                ResultSet sizes = query.executeQuery(READ)) {
            sizes.next();
            return new OrderSpace(sizes.getLong("whole"), sizes.getLong("indices"));
        } catch (SQLException unavailable) {
            throw new IOException("PostgreSQL does not answer: " + unavailable.getMessage(), unavailable);
        }
    }

    OrderSpace since(OrderSpace before) {
        return new OrderSpace(all - before.all, indices - before.indices);
    }
}
