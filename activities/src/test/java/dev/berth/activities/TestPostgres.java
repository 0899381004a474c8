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

/**
 * A real PostgreSQL with Berth's tables, which are empty before each test. Its client has the
 * application's role.
 */
public final class TestPostgres implements BeforeEachCallback, AfterAllCallback {
    private static final List<String> TABLES = List.of(
            "webhook_messages",
            "webhooks",
            "workers_in_attention",
            "orders",
            "order_events",
            "fills",
            "archive_files",
            "archived_orders",
            "accounts",
            "kill_switches",
            "risk_limits",
            "suspensions",
            "mass_cancels",
            "user_groups",
            "audit",
            "stream_positions",
            "worker_events",
            "account_parts",
            "account_activities",
            "account_days",
            "fix_sessions",
            "fix_messages",
            "fix_orders",
            "fix_executions",
            "order_intents");

    /** One transaction. */
    private static final String EMPTY = """
            ALTER TABLE audit DISABLE TRIGGER audit_append_only;
            TRUNCATE %s;
            ALTER TABLE audit ENABLE TRIGGER audit_append_only
            """.formatted(String.join(", ", TABLES));

    private final Path folder;
    private final LocalPostgres server;
    private final DataSource database;
    private final JdbcTemplate client;
    private final JdbcTemplate owner;

    public TestPostgres() {
        try {
            folder = Files.createTempDirectory("postgres-");
            server = LocalPostgres.start(0, folder);
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
        database = as("berth_api");
        client = new JdbcTemplate(database);
        DataSource migrations = as("berth_owner");
        owner = new JdbcTemplate(migrations);
        Flyway.configure().dataSource(migrations).load().migrate();
    }

    /** Connects with a role of the database. */
    public DataSource as(String role) {
        PGSimpleDataSource connections = new PGSimpleDataSource();
        connections.setUrl(server.jdbcUrl(role));
        return connections;
    }

    /** A client that owns the tables. */
    public JdbcTemplate owner() {
        return owner;
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
        owner.execute(EMPTY);
    }

    @Override
    public void afterAll(ExtensionContext tests) throws IOException {
        server.close();
        FileSystemUtils.deleteRecursively(folder.toFile());
    }
}
