package dev.berth.rest.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.activities.order.OrderQuery.Position;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderPageTest {
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00.123Z");

    private static List<OrderState> orders(String... ids) {
        return List.of(ids).stream()
                .map(id -> OrderState.accepted(order(ALICE, id, NOON)))
                .toList();
    }

    @Test
    void cursorIsPositionOfLastOrder() {
        String cursor = OrderSearch.nextCursor(orders("o-3", "o-2.b_c"), 2);
        assertThat(Cursor.position(Objects.requireNonNull(cursor)))
                .isEqualTo(new Position(NOON, new UserId("alice"), new ClientOrderId("o-2.b_c")));
    }

    @Test
    void lastPageHasNoCursor() {
        assertThat(OrderSearch.nextCursor(orders("o-1"), 2)).isNull();
        assertThat(OrderSearch.nextCursor(orders(), 2)).isNull();
    }

    @Test
    void cursorIsUrlSafe() {
        assertThat(OrderSearch.nextCursor(orders("o-1"), 1)).matches("[A-Za-z0-9_-]+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "???", "bm90aGluZw", "MjAyNi0wMy0wMlQxMjowMDowMFo"})
    void foreignCursorIsRefused(String cursor) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cursor.position(cursor))
                .withMessageContaining("cursor");
    }
}
