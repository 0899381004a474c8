package dev.berth.api;

import dev.failsafe.CircuitBreaker;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A pool of connections to PostgreSQL. While that can not be reached, one caller at a time finds out, and waits as long
 * as the pool does; all others hear so at once, so that what goes on without PostgreSQL does so without delay.
 */
final class PostgresConnections extends DelegatingDataSource {
    private static final Duration ASKED_AGAIN = Duration.ofSeconds(1);

    private final CircuitBreaker<Connection> reachable = CircuitBreaker.<Connection>builder()
            .withFailureThreshold(1)
            .withDelay(ASKED_AGAIN)
            .build();

    PostgresConnections(DataSource pool) {
        super(pool);
    }

    /**
     * @throws SQLTransientConnectionException also when all connections are in use, which says nothing about the others
     */
    @Override
    public Connection getConnection() throws SQLException {
        if (!reachable.tryAcquirePermit()) {
            throw new SQLTransientConnectionException("PostgreSQL could not be reached a moment ago");
        }
        boolean away = true;
        try {
            Connection connection = super.getConnection();
            away = false;
            return connection;
        } catch (SQLException failed) {
            // The pool names why it has no connection only if it could not make one.
            away = failed.getCause() != null && !(failed.getCause() instanceof InterruptedException);
            throw failed;
        } finally {
            if (away) {
                reachable.recordFailure();
            } else {
                reachable.recordSuccess();
            }
        }
    }
}
