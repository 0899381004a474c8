package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.acceptance.BerthCommand.Ended;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The traders' commands at a terminal, and the operators' for what failed. */
@ExtendWith(OnTheStack.class)
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
    void whatTradersDo() throws Exception {
        assertThat(berth.done(BUY + "--type market --id c1"))
                .isEqualTo("c1  FILLED  buy 1 AAPL market; 1 filled at 100.01\n");
        assertThat(berth.done(BUY + "--type limit --limit-price 50 --id c2"))
                .startsWith("c2  NEW  buy 1 AAPL limit 50");
        assertThat(berth.done(MINE + "get c2")).startsWith("c2  NEW");
        assertThat(berth.done(MINE + "list --status new --symbol AAPL"))
                .contains("c2  NEW")
                .doesNotContain("c1");
        assertThat(berth.done(MINE + "events c1").lines()).hasSize(2);
        assertThat(berth.done(MINE + "events c1 --follow").lines()).hasSize(2);
        assertThat(berth.done(MINE + "cancel c2")).startsWith("c2  CANCELED");
        assertThat(new ObjectMapper()
                        .readTree(berth.done(MINE + "get c2 -o json"))
                        .path("status")
                        .asText())
                .isEqualTo("CANCELED");
    }

    @Test
    @DisplayName("D7, D10 attention and requeue say what waits and what was done")
    void whatFailed() throws Exception {
        assertThat(berth.done("attention --user cli-nobody")).isEqualTo("Nothing waits for a person.\n");
        berth.done("attention --kind worker");
        assertThat(berth.done("requeue cli-nobody:x --dry-run --reason again"))
                .contains("cli-nobody:x", "refused: There is no such order.", "0 would be requeued, 1 refused.");
        assertThat(new ObjectMapper()
                        .readTree(berth.done("requeue cli-nobody:x cli-nobody:y --reason say\"so\" -o json"))
                        .path("refused")
                        .asInt())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @DisplayName("What makes no sense ends with 2, and nothing is asked of the API")
    @ValueSource(
            strings = {
                "order",
                "order submit",
                "order --user Not_A_User list",
                MINE + "fly",
                MINE + "get",
                MINE + "get a/b",
                MINE + "get a b",
                MINE + "replace c1",
                MINE + "submit --colour red",
                MINE + "submit --wait soon",
                MINE + "submit --symbol",
                MINE + "submit --account alpaca --symbol AAPL",
                MINE + "list -o yaml",
                MINE + "list --status a&b",
                "attention --kind a&b",
                "attention --fast",
                "requeue",
                "requeue --all",
                "requeue --all a:1 --reason r",
                "requeue a --reason r",
                "requeue --all --reason"
            })
    void wrongUsage(String arguments) throws Exception {
        Ended ended = withoutApi.run(arguments);
        assertThat(ended.status()).as(ended.complaint()).isEqualTo(2);
        assertThat(ended.complaint()).contains("berth: ");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    @DisplayName("A refusal ends with 1 and says why; an API that is not there ends with 3")
    void refusedOrNotThere() throws Exception {
        Ended refused = berth.run(MINE + "submit --symbol AAPL");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.complaint()).contains("422", "side is missing");
        Ended unknown = berth.run("attention --kind cat");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.complaint()).contains("kind is order or worker");
        Ended away = withoutApi.run(MINE + "list");
        assertThat(away.status()).isEqualTo(3);
        assertThat(away.complaint()).contains("not reachable");
    }
}
