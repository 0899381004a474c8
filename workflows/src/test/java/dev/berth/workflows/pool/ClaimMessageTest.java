package dev.berth.workflows.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClaimMessageTest {
    @Test
    @DisplayName("B6 a claim is worthless after 5 min")
    void useful() {
        ClaimMessage claim = new ClaimMessage(Samples.ALICE, 1, "t1", InMemoryServer.OPEN);
        assertThat(claim.isUseful(InMemoryServer.OPEN)).isTrue();
        assertThat(claim.isUseful(InMemoryServer.OPEN.plusSeconds(299))).isTrue();
        assertThat(claim.isUseful(InMemoryServer.OPEN.plusSeconds(300))).isFalse();
    }
}
