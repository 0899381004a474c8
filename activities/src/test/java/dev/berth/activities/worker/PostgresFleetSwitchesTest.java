package dev.berth.activities.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.local.LocalPostgres;
import dev.berth.workflows.worker.FleetSwitch;
import java.nio.file.Path;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

class PostgresFleetSwitchesTest {
    private static LocalPostgres server;
    private static JdbcTemplate postgres;

    private static PostgresFleetSwitches switches;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        server = LocalPostgres.start(0, folder);
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(server.jdbcUrl());
        Flyway.configure().dataSource(database).load().migrate();
        postgres = new JdbcTemplate(database);
        switches = new PostgresFleetSwitches(postgres);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void forget() {
        postgres.update("TRUNCATE fleet_switch");
    }

    @Test
    void nobodyEverTouchedIt() {
        assertThat(switches.read()).isEqualTo(FleetSwitch.UNTOUCHED);
        assertThat(switches.last()).isEmpty();
    }

    @DisplayName(
            "D8 the fleet's switch remembers how it stands, why, who said so and when; every change has a higher version")
    @Test
    void everyChangeHasAHigherVersion() {
        FleetSwitch first = switches.change(true, "exchange is down", "ops");
        assertThat(first).isEqualTo(new FleetSwitch(first.version(), true, "exchange is down"));
        FleetSwitch second = switches.change(true, "still down", "ops");
        assertThat(second).isEqualTo(new FleetSwitch(second.version(), true, "still down"));
        FleetSwitch on = switches.change(false, "it is back", "boss");
        assertThat(on).isEqualTo(new FleetSwitch(on.version(), false, "it is back"));
        assertThat(List.of(first.version(), second.version(), on.version()))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(switches.read()).isEqualTo(on);
        assertThat(switches.last()).hasValueSatisfying(change -> {
            assertThat(change.now()).isEqualTo(on);
            assertThat(change.by()).isEqualTo("boss");
            assertThat(change.at()).isNotNull();
        });
    }

    @DisplayName("D8 a change after PostgreSQL came back from a backup is newer than those that it lost")
    @Test
    void afterABackup() {
        FleetSwitch lost = switches.change(true, "exchange is down", "ops");
        forget();
        assertThat(switches.change(false, "it is back", "ops").version()).isGreaterThan(lost.version());
        postgres.update("update fleet_switch set version = 3");
        assertThat(switches.change(true, "down again", "ops").version()).isGreaterThan(lost.version());
    }
}
