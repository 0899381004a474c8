package dev.berth.activities.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.risk.SuspensionStore;
import dev.berth.activities.worker.PostgresFleetSwitches.SwitchChange;
import dev.berth.workflows.worker.FleetSwitch;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresFleetSwitchesTest {
    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private static final SuspensionStore suspensions = new SuspensionStore(postgres.client(), postgres.transactions());

    private final PostgresFleetSwitches switches = new PostgresFleetSwitches(suspensions);

    private static FleetSwitch change(boolean suspended, String reason, String by) {
        return SwitchChange.of(suspensions.change(null, suspended, reason, by)).now();
    }

    @Test
    void isOffInitially() {
        assertThat(switches.read()).isEqualTo(FleetSwitch.UNTOUCHED);
        assertThat(switches.last()).isEmpty();
    }

    @Tag("D8")
    @DisplayName("The fleet's switch remembers how it stands, why, who said so and when; every change "
            + "has a higher version")
    @Test
    void everyChangeHasAHigherVersion() {
        FleetSwitch first = change(true, "exchange is down", "ops");
        assertThat(first).isEqualTo(new FleetSwitch(first.version(), true, "exchange is down"));
        FleetSwitch second = change(true, "still down", "ops");
        assertThat(second).isEqualTo(new FleetSwitch(second.version(), true, "still down"));
        FleetSwitch on = change(false, "it is back", "boss");
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

    @Tag("D8")
    @DisplayName("A change after PostgreSQL came back from a backup is newer than those that it lost")
    @Test
    void afterABackup() {
        FleetSwitch lost = change(true, "exchange is down", "ops");
        postgres.owner().update("TRUNCATE suspensions");
        assertThat(change(false, "it is back", "ops").version()).isGreaterThan(lost.version());
        postgres.client().update("UPDATE risk_version SET version = 3");
        assertThat(change(true, "down again", "ops").version()).isGreaterThan(lost.version());
    }
}
