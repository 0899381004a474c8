package dev.berth.workflows.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workflows.UserGroup;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("D5")
class PoolNamesTest {
    private static final UserGroup GOLD = new UserGroup("gold-2");

    @Test
    @DisplayName("The default group's pool keeps the plain names, and each other pool has its own")
    void namesOfPools() {
        assertThat(PoolNames.workflowId(UserGroup.DEFAULT)).isEqualTo("pool");
        assertThat(PoolNames.workflowId(GOLD)).isEqualTo("pool:gold-2");
        assertThat(PoolNames.idle(UserGroup.DEFAULT)).isEqualTo("pool:idle");
        assertThat(PoolNames.idle(GOLD)).isEqualTo("pool:idle:gold-2");
        assertThat(PoolNames.user(UserGroup.DEFAULT)).isEqualTo("-1");
        assertThat(PoolNames.user(GOLD)).isEqualTo("-1:gold-2");
        assertThat(PoolNames.claimQueue("pool-claim", UserGroup.DEFAULT)).isEqualTo("pool-claim");
        assertThat(PoolNames.claimQueue("pool-claim", GOLD)).isEqualTo("pool-claim-gold-2");
    }

    @Test
    void groupsAreReadFromNames() {
        assertThat(PoolNames.groupOfWorkflow("pool")).contains(UserGroup.DEFAULT);
        assertThat(PoolNames.groupOfWorkflow("pool:gold-2")).contains(GOLD);
        assertThat(PoolNames.groupOfWorkflow("worker:alice")).isEmpty();
        assertThat(PoolNames.groupOfWorkflow("pool:Gold")).isEmpty();
        assertThat(PoolNames.groupOfUser("-1")).contains(UserGroup.DEFAULT);
        assertThat(PoolNames.groupOfUser("-1:gold-2")).contains(GOLD);
        assertThat(PoolNames.groupOfUser("alice:7")).isEmpty();
    }

    @Test
    void otherNamesAreRefused() {
        for (String name : new String[] {"", "Gold", "2gold", "-gold", "a".repeat(31), "gold:1"}) {
            assertThat(UserGroup.parse(name)).as(name).isEmpty();
            assertThatThrownBy(() -> new UserGroup(name)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
