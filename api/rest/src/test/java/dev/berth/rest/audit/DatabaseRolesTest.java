package dev.berth.rest.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.local.stack.LocalPostgres;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** What the migrations demand of a server, and of its roles. */
class DatabaseRolesTest {
    private static final String WITHOUT_ROLES = """
            ALTER SCHEMA public OWNER TO postgres;
            DROP OWNED BY berth_owner, berth_api, berth_gateway, berth_reader;
            DROP ROLE berth_owner, berth_api, berth_gateway, berth_reader
            """;
    private static final String TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
    private static final String OWNERS = "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'";

    private static DataSource as(LocalPostgres server, String role) {
        PGSimpleDataSource connections = new PGSimpleDataSource();
        connections.setUrl(server.jdbcUrl(role));
        return connections;
    }

    private static void migrate(DataSource database) {
        Flyway.configure().dataSource(database).load().migrate();
    }

    @Test
    @Tag("X22")
    @DisplayName("A PostgreSQL that is too old is named, with the version that it takes")
    void olderServerIsNamed(@TempDir Path folder) throws Exception {
        String check = new String(
                DatabaseRolesTest.class
                        .getResourceAsStream("/db/migration/beforeMigrate.sql")
                        .readAllBytes(),
                StandardCharsets.UTF_8);
        try (LocalPostgres server = LocalPostgres.start(0, folder)) {
            JdbcTemplate postgres = new JdbcTemplate(as(server, "postgres"));
            postgres.execute(check);
            assertThatThrownBy(() -> postgres.execute(check.replace("140000", "990000")))
                    .hasMessageContaining("is too old: Berth needs PostgreSQL 14");
        }
    }

    @Test
    @Tag("X29")
    @DisplayName("A migration without the roles says what to do and changes nothing; the next start makes the roles,"
            + " and the owner migrates")
    void databaseWithoutRolesMigratesLater(@TempDir Path folder) throws Exception {
        try (LocalPostgres server = LocalPostgres.start(0, folder)) {
            DataSource superuser = as(server, "postgres");
            JdbcTemplate postgres = new JdbcTemplate(superuser);
            postgres.execute(WITHOUT_ROLES);
            assertThatThrownBy(() -> migrate(superuser))
                    .isInstanceOf(FlywayException.class)
                    .hasMessageContaining("run postgres-roles.sql");
            assertThat(postgres.queryForList(TABLES, String.class)).containsExactly("flyway_schema_history");
            assertThat(postgres.queryForList(OWNERS, String.class)).containsExactly("postgres");
        }
        try (LocalPostgres server = LocalPostgres.start(0, folder)) {
            migrate(as(server, "berth_owner"));
            JdbcTemplate api = new JdbcTemplate(as(server, "berth_api"));
            assertThat(api.queryForObject("SELECT version FROM risk_version", Long.class))
                    .isEqualTo(1);
            assertThat(api.queryForList(OWNERS, String.class)).containsExactly("berth_owner");
        }
        // A second start finds nothing to do.
        LocalPostgres.start(0, folder).close();
    }
}
