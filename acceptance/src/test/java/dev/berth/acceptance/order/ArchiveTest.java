package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.verify.Verify;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The archive of closed orders, over REST and at the command line. */
@ExtendWith(StackExtension.class)
class ArchiveTest {
    private static final String OLD = "archive-old";

    private final Stack stack;
    private final BerthCommand berth;
    private final Trader trader;

    ArchiveTest(Stack stack) throws Exception {
        this.stack = stack;
        this.berth = new BerthCommand(stack);
        this.trader = stack.trader("archive-alice");
    }

    /** No test waits for 90 days: the order was submitted and closed 91 days earlier. */
    private void age(String id) throws Exception {
        try (Connection postgres = stack.openPostgres();
                var update =
                        postgres.prepareStatement("UPDATE orders SET submitted_at = submitted_at - interval '91 d',"
                                + " state = jsonb_set(state, '{changedAt}', to_jsonb(to_char(now() - interval '91 d',"
                                + " 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'))) WHERE user_id = ? AND client_order_id = ?")) {
            update.setString(1, trader.user());
            update.setString(2, id);
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
    }

    private record Archive(String folder, int due, List<ArchivedFile> files) {}

    private record ArchivedFile(String name) {}

    private Archive archive() throws Exception {
        return JsonRecords.read(berth.done("archive -o json"), Archive.class);
    }

    private List<String> lines(Archive archive) throws Exception {
        Path file = Path.of(archive.folder()).resolve(archive.files().getFirst().name());
        try (var reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        }
    }

    private static void isArchived(JsonResponse refused) {
        assertThat(refused.status()).as("%s", refused.body()).isEqualTo(410);
        assertThat(refused.text("type")).isEqualTo("urn:berth:problem:order-archived");
        assertThat(refused.text("detail")).contains(OLD, "orders-00000", "new id");
    }

    @Test
    @Tag("X24")
    @DisplayName("An order that was closed 91 days ago leaves for a file, and its id is never sent again")
    void oldOrderIsArchived() throws Exception {
        Eventually.filled(trader, OLD);
        Eventually.filled(trader, "archive-young");
        Eventually.fills(trader, OLD, "1");
        age(OLD);
        assertThat(archive().due()).isEqualTo(1);
        berth.done("archive run");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(berth.done("archive")).contains("orders due: 0", "1 orders"));

        assertThat(lines(archive())).hasSize(1).first().asString().contains(OLD, "\"fills\": [{");
        isArchived(trader.get("/v1/orders/" + OLD));
        isArchived(trader.get("/v1/orders/" + OLD + "/events"));
        isArchived(trader.submit(OrderBody.market(OLD, "AAPL", "buy", "1"), 0));
        assertThat(trader.order("archive-young").status()).isEqualTo("FILLED");
        assertThat(berth.done("audit --action run-archive")).contains("RUN_ARCHIVE");
        assertThat(Verify.of(stack, Set.of(trader.user()), Duration.ofSeconds(10), List.of())
                        .broken())
                .isZero();
    }
}
