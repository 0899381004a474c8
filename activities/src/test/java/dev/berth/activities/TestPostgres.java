package dev.berth.activities;

import dev.berth.local.stack.LocalPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.FileSystemUtils;

/** A real PostgreSQL with Berth's tables, which are empty before each test. */
public final class TestPostgres implements BeforeEachCallback, AfterAllCallback {
    private static final List<String> TABLES =
            List.of("orders", "order_events", "fills", "accounts", "kill_switches", "risk_limits", "fleet_switch");

    private final Path folder;
    private final LocalPostgres server;
    private final PGSimpleDataSource database = new PGSimpleDataSource();
    private final JdbcTemplate client = new JdbcTemplate(database);

    public TestPostgres() {
        try {
            folder = Files.createTempDirectory("postgres-");
            server = LocalPostgres.start(0, folder);
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
        database.setUrl(server.jdbcUrl());
        Flyway.configure().dataSource(database).load().migrate();
    }

    public JdbcTemplate client() {
        return client;
    }

    public DataSource database() {
        return database;
    }

    public TransactionTemplate transactions() {
        return new TransactionTemplate(new DataSourceTransactionManager(database));
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        client.update("TRUNCATE " + String.join(", ", TABLES));
    }

    @Override
    public void afterAll(ExtensionContext tests) throws IOException {
        server.close();
        FileSystemUtils.deleteRecursively(folder.toFile());
    }
}
