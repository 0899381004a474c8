package dev.berth.host.broker.fix;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestPostgres;
import dev.berth.host.TestGateway;
import dev.berth.host.broker.fix.FixJournal.FencedException;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.gateway.FixJournalMessages.FixNumbers;
import dev.berth.temporal.gateway.FixJournalMessages.FixOrderChange;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.Execution;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("Y5")
class GatewayFixJournalTest {
    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    @RegisterExtension
    static final TestPostgres postgres = new TestPostgres();

    private static final AccountKey ACCOUNT = AccountKey.parse("fix/equity/paper/paper");
    private static final VenueClientOrderId ORDER = VenueClientOrderId.parse("o-1.r2");

    @Test
    @DisplayName("Through a gateway and PostgreSQL the journal is that of the port, and fences the former process")
    void journalIsKeptByTheGateway() throws Exception {
        try (TestGateway gateway = new TestGateway(redis, postgres.as("berth_gateway"))) {
            FixJournal former = journal(gateway, 7);
            assertThat(former.open()).isEqualTo(FixNumbers.FIRST);
            former.append(1, null);
            former.append(2, "8=FIX.4.4\u000135=D\u0001");
            Execution execution = new Execution("e-1", 2, Decimal.of("4"), Decimal.of("0.98"), NOON, false);
            former.received(3, List.of(new FixOrderChange(ORDER.toString(), true, List.of(execution))));
            assertThatThrownBy(() -> former.append(2, null))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(FencedException.class)
                    .hasMessageContaining("the next number is 3");
            FixJournal next = journal(gateway, 8);
            assertThat(next.open()).isEqualTo(new FixNumbers(3, 3));
            assertThat(next.executions(ORDER)).containsExactly(execution);
            assertThat(next.working()).containsExactly(ORDER);
            assertThatThrownBy(() -> former.append(3, null)).isInstanceOf(FencedException.class);
            assertThatThrownBy(() -> former.received(9, List.of())).isInstanceOf(FencedException.class);
            assertThatThrownBy(former::reset).isInstanceOf(FencedException.class);
            next.reset();
            assertThat(next.open()).isEqualTo(FixNumbers.FIRST);
        }
    }

    private static FixJournal journal(TestGateway gateway, long epoch) throws InterruptedException {
        return new GatewayFixJournal(
                gateway.worker("task-" + epoch, ALICE, epoch).client(), ACCOUNT);
    }
}
