package dev.berth.workflows.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ClaimMessageTest {
    @Test
    @Tag("B6")
    @DisplayName("A claim is invalid after 5 min")
    void expiresAfterFiveMinutes() {
        ClaimMessage claim = new ClaimMessage(Samples.ALICE, 1, "t1", InMemoryServer.OPEN);
        assertThat(claim.isValid(InMemoryServer.OPEN)).isTrue();
        assertThat(claim.isValid(InMemoryServer.OPEN.plusSeconds(299))).isTrue();
        assertThat(claim.isValid(InMemoryServer.OPEN.plusSeconds(300))).isFalse();
    }
}
