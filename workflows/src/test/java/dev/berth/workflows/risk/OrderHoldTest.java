package dev.berth.workflows.risk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OrderHoldTest {
    private static List<String> answer(String hold) {
        return List.of("7 abc", "", "", "", "", "", "1772452800000", hold, "", "", "");
    }

    @Test
    @Tag("X33")
    @DisplayName("The script's answer names what holds the orders")
    void holdIsRead() {
        assertThat(OrderHold.of(answer(""))).isEmpty();
        for (OrderHold hold : OrderHold.values()) {
            assertThat(OrderHold.of(answer(hold.name()))).contains(hold);
        }
        assertThatThrownBy(() -> OrderHold.of(answer("OTHER"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> OrderHold.of(answer("").subList(0, 8))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Tag("X33")
    @DisplayName("An order that is held waits and does not fail; its reason is the same for each suspension")
    void heldOrderWaits() {
        for (OrderHold hold : OrderHold.values()) {
            assertThat(hold.declined().cause().isRetried()).isTrue();
        }
        Declined suspended = OrderHold.USER.declined();
        assertThat(suspended.cause()).isEqualTo(Cause.HELD);
        assertThat(suspended.reason())
                .hasToString("capacity: suspended: The user is suspended: no order is sent until the user is resumed.");
        assertThat(FailureCode.isRequeueable(suspended.reason())).isTrue();
    }

    @Test
    @Tag("X33")
    @DisplayName("The copy in Redis says of which version it is, and how many are suspended")
    void redisFieldsTellVersionAndCount() {
        assertThat(OrderHold.fields(9, Map.of("alice", 7L, "*", 8L), Map.of()))
                .isEqualTo(Map.of("alice", "7", "*", "8", "#", "9 2"));
        assertThat(OrderHold.fields(9, Map.of(), Map.of())).isEqualTo(Map.of("#", "9 0"));
    }

    @Test
    @Tag("X33")
    @DisplayName("The wait of a suspension covers the age of a look and a thread that stands still")
    void waitIsLongerThanLook() {
        assertThat(OrderHold.EFFECTIVE_AFTER).isGreaterThanOrEqualTo(OrderHold.LOOK_VALID.plusMillis(100));
    }
}
