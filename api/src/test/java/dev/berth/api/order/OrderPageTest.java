package dev.berth.api.order;

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
                .map(id -> OrderState.accepted(Samples.order(id, NOON)))
                .toList();
    }

    @Test
    void theCursorIsThePlaceOfTheLastOrder() {
        OrderPage page = OrderPage.of(orders("o-3", "o-2.b_c"), 2);
        assertThat(page.orders()).extracting(OrderView::clientOrderId).containsExactly("o-3", "o-2.b_c");
        assertThat(Cursor.position(Objects.requireNonNull(page.nextCursor())))
                .isEqualTo(new Position(NOON, new UserId("alice"), new ClientOrderId("o-2.b_c")));
    }

    @Test
    void theLastPageHasNone() {
        assertThat(OrderPage.of(orders("o-1"), 2).nextCursor()).isNull();
        assertThat(OrderPage.of(orders(), 2).nextCursor()).isNull();
    }

    @Test
    void itCanStandInAnAddress() {
        assertThat(OrderPage.of(orders("o-1"), 1).nextCursor()).matches("[A-Za-z0-9_-]+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "???", "bm90aGluZw", "MjAyNi0wMy0wMlQxMjowMDowMFo"})
    void whatNoPageGaveIsRefused(String cursor) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cursor.position(cursor))
                .withMessageContaining("cursor");
    }
}
