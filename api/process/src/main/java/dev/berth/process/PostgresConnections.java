package dev.berth.process;

import com.zaxxer.hikari.HikariDataSource;
import dev.failsafe.CircuitBreaker;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
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

    private final PostgresFaults faults;

    /** @param pool has no connection yet */
    PostgresConnections(HikariDataSource pool) {
        super(pool);
        this.faults = new PostgresFaults(pool);
        pool.setExceptionOverride(faults);
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
            if (failed.getCause() instanceof SQLException refused) {
                faults.explain(refused.getSQLState());
            }
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
