package dev.berth.acceptance.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RequeueReport;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The traders' commands at a terminal, and the operators' for what failed. */
@ExtendWith(StackExtension.class)
class OrderCommandTest {
    private static final String MINE = "order --user cli-trader ";
    private static final String BUY = MINE + "submit --symbol AAPL --side buy --quantity 1 --wait 30 ";

    private final BerthCommand berth;
    private final BerthCommand withoutApi;

    OrderCommandTest(Stack stack) {
        this.berth = new BerthCommand(stack);
        this.withoutApi = new BerthCommand(stack.with(Map.of("BERTH_API_URL", "http://127.0.0.1:1")));
    }

    @Test
    @DisplayName("Traders submit, look at, list, follow and cancel orders from a terminal")
    void tradersManageOrdersFromTerminal() throws Exception {
        assertThat(berth.done(BUY + "--type market --id c1"))
                .isEqualTo("c1  FILLED  buy 1 AAPL market; 1 filled at 100.01\n");
        assertThat(berth.done(BUY + "--type limit --limit-price 50 --id c2"))
                .startsWith("c2  NEW  buy 1 AAPL limit 50");
        assertThat(berth.done(MINE + "get c2")).startsWith("c2  NEW");
        // The read model follows the answer.
        await().untilAsserted(() -> assertThat(berth.done(MINE + "list --status new --symbol AAPL"))
                .contains("c2  NEW")
                .doesNotContain("c1"));
        assertThat(berth.done(MINE + "events c1").lines()).hasSize(3);
        assertThat(berth.done(MINE + "events c1 --follow").lines()).hasSize(3);
        // The venue may confirm it after the answer.
        assertThat(berth.done(MINE + "cancel c2")).containsPattern("^c2  (PENDING_CANCEL|CANCELED)");
        await().until(
                        () -> JsonRecords.read(berth.done(MINE + "get c2 -o json"), PlacedOrder.class)
                                .status(),
                        "CANCELED"::equals);
    }

    @Test
    @Tag("D7")
    @Tag("D10")
    @DisplayName("Attention and requeue say what waits and what was done")
    void attentionAndRequeueSayWhatWasDone() throws Exception {
        assertThat(berth.done("attention --user cli-unknown")).isEqualTo("Nothing waits for a person.\n");
        berth.done("attention --kind worker");
        assertThat(berth.done("requeue cli-unknown:x --dry-run --reason again"))
                .contains("cli-unknown:x", "refused: There is no such order.", "0 would be requeued, 1 refused.");
        assertThat(JsonRecords.read(
                                berth.done("requeue cli-unknown:x cli-unknown:y --reason say\"so\" -o json"),
                                RequeueReport.class)
                        .refused())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @DisplayName("What makes no sense ends with 2, and nothing is asked of the API")
    @ValueSource(strings = {"order", "order list", MINE + "get a/b"})
    void wrongUsageAsksNothing(String arguments) throws Exception {
        FinishedCommand ended = withoutApi.run(arguments);
        assertThat(ended.status()).as(ended.errors()).isEqualTo(2);
        assertThat(ended.errors()).contains("berth: ");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    @DisplayName("A refusal ends with 1 and says why; an API that is not there ends with 3")
    void refusalAndMissingApiHaveExitCodes() throws Exception {
        FinishedCommand refused = berth.run(MINE + "submit --symbol AAPL");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.errors()).contains("422", "side is missing");
        FinishedCommand unknown = berth.run("attention --kind cat");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.errors()).contains("kind is order, worker, workflow or absent");
        FinishedCommand unavailable = withoutApi.run(MINE + "list");
        assertThat(unavailable.status()).isEqualTo(3);
        assertThat(unavailable.errors()).contains("not reachable");
    }
}
