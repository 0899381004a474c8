package dev.berth.host.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderStatus;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("B4")
class CancelReportsTest {
    private static final ClientOrderId ORDER = new ClientOrderId("o-1");
    private static final VenueClientOrderId FIRST = new VenueClientOrderId(ORDER, 0);
    private static final ExecutionReport CANCELED = FakeSession.report(OrderStatus.CANCELED);

    private final CancelReports reports = new CancelReports();

    @Test
    @DisplayName("The report of the end that the answer to a cancel has is not passed on as well")
    void answeredReport() {
        assertThat(reports.begin(FIRST)).isTrue();
        assertThat(reports.keep(ORDER, CANCELED)).isTrue();
        assertThat(reports.end(FIRST, Optional.of(CANCELED))).isEmpty();
    }

    @Test
    @DisplayName("What the answer lacks is passed on, and all of it when no answer comes")
    void whatTheAnswerLacks() {
        ExecutionReport withFill = CANCELED.withExecutions(List.of(FakeSession.execution("e-1", "4")));
        for (ExecutionReport answer : List.of(CANCELED, FakeSession.report(OrderStatus.PENDING_CANCEL))) {
            reports.begin(FIRST);
            reports.keep(ORDER, withFill);
            assertThat(reports.end(FIRST, Optional.of(answer))).containsExactly(withFill);
        }
        reports.begin(FIRST);
        reports.keep(ORDER, withFill);
        reports.keep(ORDER, CANCELED);
        assertThat(reports.end(FIRST, Optional.empty())).containsExactly(withFill, CANCELED);
    }

    @Test
    @DisplayName("Reports of an order that is not at its end, of another version, or without a cancel are not kept")
    void othersPassAtOnce() {
        assertThat(reports.keep(ORDER, CANCELED)).isFalse();
        reports.begin(FIRST);
        assertThat(reports.keep(ORDER, FakeSession.report(OrderStatus.PARTIALLY_FILLED)))
                .isFalse();
        assertThat(reports.keep(ORDER, FakeSession.report(1, OrderStatus.CANCELED)))
                .isFalse();
        reports.end(FIRST, Optional.of(CANCELED));
        assertThat(reports.keep(ORDER, CANCELED)).isFalse();
    }

    @Test
    @DisplayName("Of two cancels of a version at once the first keeps its reports")
    void secondCancelKeepsNone() {
        assertThat(reports.begin(FIRST)).isTrue();
        assertThat(reports.begin(FIRST)).isFalse();
        assertThat(reports.begin(new VenueClientOrderId(ORDER, 1))).isTrue();
    }
}
