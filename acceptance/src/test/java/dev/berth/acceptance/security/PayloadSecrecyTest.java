package dev.berth.acceptance.security;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.AccountsClient;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What Temporal stores of an order, and what the logs say of it. */
@ExtendWith(StackExtension.class)
class PayloadSecrecyTest {
    private static final String SECRET = "canary-secret-8d1f";
    private static final String KEY = "CANARYKEY8D1F";
    private static final String ACCOUNT = "canary-account-8d1f";
    private static final String PRICE = "61937.41";
    private static final List<String> CANARIES = List.of(SECRET, KEY, ACCOUNT, PRICE);
    private static final String ORDER = "order:secrecy:hidden";
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Stack stack;
    private final TemporalCli temporal;
    private final TemporalCli stored;

    PayloadSecrecyTest(Stack stack) {
        this.stack = stack;
        this.temporal = new TemporalCli(stack);
        this.stored = new TemporalCli(stack, false);
    }

    @Test
    @Tag("X13")
    @DisplayName("No secret, price or account of an order is in Temporal's files, its stored histories or a log")
    void canariesAreNowhere() throws Exception {
        Trader trader = stack.trader("secrecy");
        AccountsClient accounts = new AccountsClient(stack, trader);
        assertThat(accounts.put(ACCOUNT, KEY, SECRET).status()).isBetween(200, 204);
        String order = OrderBody.limit("hidden", "NVDA", "buy", "1", PRICE).json();
        var answer = trader.submit(
                order.replace("\"accountId\":\"paper\"", "\"accountId\":\"" + ACCOUNT + "\""), "Prefer", "wait=20");
        assertThat(answer.text("status")).as("%s", answer.body()).isEqualTo("FILLED");
        temporal.awaitLast(ORDER, "EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED", TIMEOUT);
        // The order's worker also closes its session, and leaves in its own words.
        long pid = trader.worker().pid();
        assertThat(trader.delete("/v1/worker").status()).isEqualTo(202);
        Eventually.ended(pid, TIMEOUT);

        assertThat(temporal.payloads(ORDER)).contains(PRICE, ACCOUNT, "NVDA");
        for (String workflow : List.of(ORDER, "worker:secrecy")) {
            JsonNode history = stored.workflow("show", "--workflow-id", workflow);
            JsonNode described = stored.workflow("describe", "--workflow-id", workflow);
            assertThat(stored.payloads(workflow) + history + described)
                    .doesNotContain(CANARIES)
                    .doesNotContain("NVDA", "ciphertext", "publicKey");
        }
        List<Path> database = files("data", "temporal.db");
        assertThat(database).as("the search finds what is stored in clear").anyMatch(file -> contains(file, ORDER));
        for (Path file : database) {
            assertNoCanary(file);
        }
        for (Path file : files("log", "")) {
            assertNoCanary(file);
        }
    }

    private List<Path> files(String folder, String prefix) throws IOException {
        try (Stream<Path> all = Files.list(stack.home().resolve(folder))) {
            List<Path> found = new ArrayList<>(
                    all.filter(file -> file.getFileName().toString().startsWith(prefix))
                            .filter(Files::isRegularFile)
                            .toList());
            assertThat(found).isNotEmpty();
            return found;
        }
    }

    private static void assertNoCanary(Path file) {
        assertThat(CANARIES).as("in " + file).noneMatch(canary -> contains(file, canary));
    }

    private static boolean contains(Path file, String text) {
        try {
            return Files.readString(file, ISO_8859_1).contains(text);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
