package dev.berth.api;

import dev.failsafe.CircuitBreaker;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A connection pool with a circuit breaker. While PostgreSQL is unreachable, one caller at a time
 * waits for a connection; all others fail at once, so that orders are accepted without PostgreSQL
 * and without delay.
 */
final class PostgresConnections extends DelegatingDataSource {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final CircuitBreaker<Connection> reachable = CircuitBreaker.<Connection>builder()
            .withFailureThreshold(1)
            .withDelay(RETRY)
            .build();

    PostgresConnections(DataSource pool) {
        super(pool);
    }

    /**
     * @throws SQLTransientConnectionException also when all connections are in use, which does not
     *     open the circuit
     */
    @Override
    public Connection getConnection() throws SQLException {
        if (!reachable.tryAcquirePermit()) {
            throw new SQLTransientConnectionException("PostgreSQL could not be reached a moment ago");
        }
        boolean unreachable = true;
        try {
            Connection connection = super.getConnection();
            unreachable = false;
            return connection;
        } catch (SQLException failed) {
            // The pool gives a cause only if it could not connect.
            unreachable = failed.getCause() != null && !(failed.getCause() instanceof InterruptedException);
            throw failed;
        } finally {
            if (unreachable) {
                reachable.recordFailure();
            } else {
                reachable.recordSuccess();
            }
        }
    }
}
