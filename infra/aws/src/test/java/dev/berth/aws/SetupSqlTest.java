package dev.berth.aws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.local.stack.LocalPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The statements of the setup task, by a role that is no superuser, as in RDS. */
class SetupSqlTest {
    private static final String FIRST_ROLE = "CREATE ROLE first LOGIN CREATEROLE CREATEDB PASSWORD 'first'";

    /** The local stack's start has made them already. */
    private static final String WITHOUT_ROLES = """
            REASSIGN OWNED BY berth_owner TO postgres;
            DROP OWNED BY berth_owner, berth_api, berth_gateway, berth_reader;
            DROP ROLE berth_owner, berth_api, berth_gateway, berth_reader;
            """;

    @Test
    void roleWithoutSuperuserMakesRolesAndRepeats(@TempDir Path folder) throws Exception {
        try (LocalPostgres server = LocalPostgres.start(0, folder)) {
            try (Connection superuser = DriverManager.getConnection(server.jdbcUrl(), "postgres", "postgres")) {
                run(superuser, WITHOUT_ROLES);
                run(superuser, FIRST_ROLE);
                run(superuser, "CREATE DATABASE berth OWNER first");
            }
            String database = server.jdbcUrl().replaceFirst("/postgres(\\?.*)?$", "/berth");
            try (Connection superuser = DriverManager.getConnection(database, "postgres", "postgres")) {
                // As it is from PostgreSQL 15 on.
                run(superuser, "ALTER SCHEMA public OWNER TO first");
            }
            String sql = SetupTasks.sql(false)
                    .replace(":'owner'", "'owner-1'")
                    .replace(":'api'", "'api-1'")
                    .replace(":'gateway'", "'gateway-1'");
            for (int times = 0; times < 2; times++) {
                try (Connection first = DriverManager.getConnection(database, "first", "first")) {
                    run(first, sql);
                }
            }
            try (Connection owner = DriverManager.getConnection(database, "berth_owner", "owner-1")) {
                run(owner, "CREATE TABLE orders (id text)");
                run(owner, "GRANT SELECT ON orders TO berth_api");
            }
            try (Connection api = DriverManager.getConnection(database, "berth_api", "api-1");
                    Statement statement = api.createStatement();
                    ResultSet count = statement.executeQuery("SELECT count(*) FROM orders")) {
                assertThat(count.next()).isTrue();
                assertThat(count.getInt(1)).isZero();
            }
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
