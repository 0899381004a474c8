package dev.berth.acceptance.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ForeignAccessTest {
    private final EvidenceFixture planted = new EvidenceFixture().order("one", "FILLED", "filled", "1");

    private void assertBroken(String... parts) {
        assertThat(planted.finding("foreign-access").broken())
                .singleElement()
                .asString()
                .contains(parts);
    }

    @Test
    void ownTasksAndRefusedCallsBreakNothing() {
        planted.refused.put("QUEUE", 3L);
        Finding finding = planted.finding("foreign-access");
        assertThat(finding.broken()).isEmpty();
        assertThat(finding.checked()).isEqualTo(3);
        assertThat(finding.notes()).containsExactly("the gateway refused {QUEUE=3}");
    }

    @Test
    @Tag("X16")
    @DisplayName("A task that served two users breaks the promise that nothing of another was read")
    void taskOfTwoUsersIsFound() {
        planted.served.put("task-a", Set.of("alice", "mallory"));
        assertBroken("task-a", "alice", "mallory");
    }

    @Test
    void activityTakenByTaskOfAnotherIsFound() {
        planted.served.put("task-m", Set.of("alice"));
        planted.assigned.put("task-m", "mallory");
        assertBroken("task-m", "alice", "mallory");
    }

    @Test
    void heartbeatKeyOfAnotherIsFound() {
        planted.holders.put("alice", "task-m");
        planted.assigned.put("task-m", "mallory");
        assertBroken("task-m", "mallory", "heartbeat key of alice");
    }

    @Test
    void arrivalOfEpochThatNoWorkerHadIsFound() {
        planted.arrived("one", EvidenceFixture.SENT, 3L, "refused");
        assertBroken("alice", "epoch 2", "epoch 3");
    }

    @Test
    void credentialsChangedByAnotherAreFound() {
        planted.foreignChanges.add("audit USERS-7: mallory did STORE_CREDENTIALS of alice");
        assertBroken("mallory", "alice");
    }
}
