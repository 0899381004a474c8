package dev.berth.activities.risk;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.risk.SuspensionStore.Suspension;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SuspensionStoreTest {
    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private static final RiskStore risk = new RiskStore(postgres.client(), postgres.transactions());
    private static final SuspensionStore suspensions = new SuspensionStore(postgres.client(), postgres.transactions());

    @Test
    @Tag("X33")
    @DisplayName("The newest change of a user counts; each version still tells who was suspended then")
    void everyChangeIsKept() {
        Suspension first = suspensions.change(ALICE, true, "margin call", "olga");
        Suspension all = suspensions.change(null, true, "exchange is down", "olga");
        assertThat(risk.snapshot().suspended()).isEqualTo(Map.of("alice", first.version(), "*", all.version()));
        assertThat(suspensions.inEffect(ALICE)).containsExactlyInAnyOrder(first, all);
        assertThat(suspensions.inEffect(BOB)).containsExactly(all);
        assertThat(suspensions.suspendedUsers()).containsExactly(ALICE);
        Suspension resumed = suspensions.change(ALICE, false, "paid", "boss");
        assertThat(suspensions.suspendedUsers()).isEmpty();
        assertThat(suspensions.newest(ALICE)).contains(resumed);
        assertThat(suspensions.newest(BOB)).isEmpty();
        assertThat(risk.snapshot().suspended()).isEqualTo(Map.of("*", all.version()));
        assertThat(risk.snapshotOf(first.version()).suspended()).isEqualTo(Map.of("alice", first.version()));
        assertThat(risk.version()).isEqualTo(resumed.version());
    }

    @Test
    @Tag("X33")
    @DisplayName("A change waits for its signal until it is signalled, or a newer one takes its place")
    void unsignalledChangesAreListed() {
        Suspension suspended = suspensions.change(ALICE, true, "margin call", "olga");
        suspensions.change(null, true, "exchange is down", "olga");
        Suspension other = suspensions.change(BOB, true, "margin call", "olga");
        assertThat(suspensions.unsignalled(Duration.ZERO)).containsExactlyInAnyOrder(suspended, other);
        assertThat(suspensions.unsignalled(Duration.ofMinutes(1))).isEmpty();
        Suspension resumed = suspensions.change(ALICE, false, "paid", "olga");
        assertThat(suspensions.recordSignalled(suspended.version()))
                .as("a newer change came meanwhile")
                .isFalse();
        assertThat(suspensions.unsignalled(Duration.ZERO)).containsExactlyInAnyOrder(resumed, other);
        assertThat(suspensions.recordSignalled(resumed.version())).isTrue();
        assertThat(suspensions.recordSignalled(other.version())).isTrue();
        assertThat(suspensions.unsignalled(Duration.ZERO)).isEmpty();
    }
}
