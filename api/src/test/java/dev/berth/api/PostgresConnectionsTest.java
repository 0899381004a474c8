package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.berth.local.LocalPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A PostgreSQL that goes away and comes back. */
class PostgresConnectionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @TempDir
    private Path folder;

    @Test
    @DisplayName(
            "E9 while PostgreSQL can not be reached one caller waits for it, not all; when it is back all are served")
    void away() throws Exception {
        LocalPostgres server = LocalPostgres.start(0, folder);
        try (HikariDataSource pool = pool(server)) {
            PostgresConnections connections = new PostgresConnections(pool);
            connections.getConnection().close();
            int port = server.port();
            server.close();
            pool.getHikariPoolMXBean().softEvictConnections();
            assertThatThrownBy(connections::getConnection).hasRootCauseInstanceOf(java.net.ConnectException.class);

            Instant before = Instant.now();
            for (int caller = 0; caller < 100; caller++) {
                assertThatThrownBy(connections::getConnection).isInstanceOf(SQLTransientConnectionException.class);
            }
            // One of them may be the next that finds out.
            assertThat(Duration.between(before, Instant.now())).isLessThan(PATIENCE.multipliedBy(3));

            server = LocalPostgres.start(port, folder);
            await().until(() -> canConnect(connections));
            assertThat(canConnect(connections)).isTrue();
        } finally {
            server.close();
        }
    }

    @Test
    @DisplayName("E9 a pool whose connections are all in use says nothing about PostgreSQL")
    void allInUse() throws Exception {
        try (LocalPostgres server = LocalPostgres.start(0, folder);
                HikariDataSource pool = pool(server)) {
            PostgresConnections connections = new PostgresConnections(pool);
            try (Connection _ = connections.getConnection()) {
                assertThatThrownBy(connections::getConnection).isInstanceOf(SQLTransientConnectionException.class);
            }
            assertThat(canConnect(connections)).isTrue();
        }
    }

    private static HikariDataSource pool(LocalPostgres server) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(server.jdbcUrl());
        pool.setMaximumPoolSize(1);
        pool.setConnectionTimeout(PATIENCE.toMillis());
        return pool;
    }

    private static boolean canConnect(PostgresConnections connections) {
        try (Connection _ = connections.getConnection()) {
            return true;
        } catch (java.sql.SQLException away) {
            return false;
        }
    }
}
