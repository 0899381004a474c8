package dev.berth.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.berth.local.stack.LocalPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A PostgreSQL that becomes unavailable and comes back. */
class PostgresConnectionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @TempDir
    private Path folder;

    @Test
    @Tag("E9")
    @DisplayName("Without PostgreSQL one caller at a time waits; all are served once it answers")
    void oneCallerWaitsDuringOutage() throws Exception {
        LocalPostgres server = LocalPostgres.start(0, folder);
        try (HikariDataSource pool = pool(server)) {
            PostgresConnections connections = new PostgresConnections(pool);
            connections.getConnection().close();
            int port = server.port();
            server.close();
            pool.getHikariPoolMXBean().softEvictConnections();
            assertThatThrownBy(connections::getConnection).hasRootCauseInstanceOf(java.net.ConnectException.class);

            await().untilAsserted(() -> assertThat(waits(connections)).isEqualTo(1));

            server = LocalPostgres.start(port, folder);
            await().until(() -> canConnect(connections));
            assertThat(canConnect(connections)).isTrue();
        } finally {
            server.close();
        }
    }

    @Test
    @Tag("E9")
    @DisplayName("An exhausted pool does not count as an outage")
    void exhaustedPoolIsNoOutage() throws Exception {
        try (LocalPostgres server = LocalPostgres.start(0, folder);
                HikariDataSource pool = pool(server)) {
            PostgresConnections connections = new PostgresConnections(pool);
            try (Connection _ = connections.getConnection()) {
                assertThatThrownBy(connections::getConnection).isInstanceOf(SQLTransientConnectionException.class);
            }
            assertThat(canConnect(connections)).isTrue();
        }
    }

    @Test
    @Tag("X22")
    @DisplayName("Connections that stay on a read-only former primary are given up at the first write, all of them")
    void readOnlyConnectionsAreGivenUp() throws Exception {
        try (LocalPostgres server = LocalPostgres.start(0, folder);
                HikariDataSource admin = pool(server);
                HikariDataSource pool = pool(server)) {
            pool.setMaximumPoolSize(2);
            execute(admin, "CREATE TABLE notes (text text)");
            execute(admin, "ALTER DATABASE postgres SET default_transaction_read_only = on");
            PostgresConnections connections = new PostgresConnections(pool);
            try (Connection _ = connections.getConnection();
                    Connection _ = connections.getConnection()) {
                // Both sessions are read-only for as long as they live.
                execute(admin, "ALTER DATABASE postgres RESET default_transaction_read_only");
            }
            String write = "INSERT INTO notes VALUES ('x')";
            assertThatThrownBy(() -> execute(connections, write))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failure -> assertThat(failure.getSQLState()).isEqualTo("25006"));
            execute(connections, write);
            execute(connections, write);
        }
    }

    private static void execute(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static HikariDataSource pool(LocalPostgres server) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(server.jdbcUrl());
        pool.setMaximumPoolSize(1);
        pool.setConnectionTimeout(PATIENCE.toMillis());
        return pool;
    }

    /** How many of a hundred that ask at once are kept waiting. */
    private static long waits(PostgresConnections connections) throws InterruptedException, ExecutionException {
        Callable<Duration> ask = () -> refused(connections);
        try (ExecutorService together = Executors.newVirtualThreadPerTaskExecutor()) {
            long waited = 0;
            for (Future<Duration> refused : together.invokeAll(Collections.nCopies(100, ask))) {
                waited += refused.get().compareTo(PATIENCE) < 0 ? 0 : 1;
            }
            return waited;
        }
    }

    private static Duration refused(PostgresConnections connections) {
        long since = System.nanoTime();
        assertThatThrownBy(connections::getConnection).isInstanceOf(SQLTransientConnectionException.class);
        return Duration.ofNanos(System.nanoTime() - since);
    }

    private static boolean canConnect(PostgresConnections connections) {
        try (Connection _ = connections.getConnection()) {
            return true;
        } catch (java.sql.SQLException unavailable) {
            return false;
        }
    }
}
