package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Rest.Answer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(OnTheStack.class)
class AccountTest {
    private static final String SECRET = "hush-hush-hush";
    private static final String PAPER = "/v1/accounts/alpaca/equity/paper/mine";

    private final Stack stack;

    AccountTest(Stack stack) {
        this.stack = stack;
    }

    private Accounts of(String user) throws Exception {
        return new Accounts(stack, stack.trader(user));
    }

    private static void refused(Answer answer, int status, String problem) {
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(status);
        assertThat(answer.text("type")).isEqualTo("urn:berth:problem:" + problem);
        assertThat(answer.text("detail")).isNotEmpty();
        assertThat(answer.raw().body()).doesNotContain("hush");
    }

    @DisplayName("A1 an order is sent with the credentials of its own account, which can not be read again")
    @Test
    void anAccountTrades() throws Exception {
        Accounts accounts = of("acct-trades");
        Answer stored = accounts.put("mine", "PKTRADES1234", SECRET);
        assertThat(stored.status()).isEqualTo(200);
        assertThat(stored.text("keyId")).isEqualTo("****1234");

        assertThat(accounts.buy("mine", "acct-1").text("status")).isEqualTo("FILLED");
        assertThat(accounts.keysAtTheVenue("acct-1")).containsExactly("PKTRADES1234");

        JsonNode mine = accounts.list().getFirst();
        assertThat(mine.path("account").path("accountId").asText()).isEqualTo("mine");
        assertThat(mine.path("keyId").asText()).isEqualTo("****1234");
        assertThat(mine.path("storedAt").asText()).isNotEmpty();
        assertThat(stored.raw().body() + mine).doesNotContain("hush").doesNotContain("PKTRADES");
    }

    @Test
    void theQueryNamesNoOtherAccount() throws Exception {
        Accounts accounts = of("acct-query");
        accounts.put("keep", "PKKEEP", SECRET);
        accounts.put("mine", "PKMINE", SECRET);
        assertThat(accounts.trader().delete(PAPER + "?accountId=keep").status()).isEqualTo(204);
        assertThat(accounts.ids()).containsExactly("keep", "paper");
    }

    @DisplayName("A8 each change of credentials has a higher version, also after a removal")
    @Test
    void versionsGrow() throws Exception {
        Accounts accounts = of("acct-versions");
        long first =
                accounts.put("mine", "PKONE", SECRET).body().path("version").asLong();
        assertThat(accounts.delete("mine").status()).isEqualTo(204);
        assertThat(accounts.delete("mine").status()).isEqualTo(204);
        assertThat(accounts.ids()).containsExactly("paper");
        refused(accounts.buy("mine", "acct-2"), 422, "unknown-account");
        assertThat(accounts.put("mine", "PKTWO", SECRET).body().path("version").asLong())
                .isGreaterThan(first);
        assertThat(accounts.ids()).containsExactly("mine", "paper");
    }

    @DisplayName("A1 another user's accounts can neither be seen nor used nor removed")
    @Test
    void anotherUsersAccountsAreInvisible() throws Exception {
        Accounts owner = of("acct-owner");
        Accounts other = of("acct-other");
        owner.put("mine", "PKOWNER1234", SECRET);
        assertThat(other.ids()).containsExactly("paper");
        refused(other.buy("mine", "acct-3"), 422, "unknown-account");
        assertThat(other.delete("mine").status()).isEqualTo(204);
        assertThat(owner.ids()).containsExactly("mine", "paper");
        refused(stack.api().call("GET", "/v1/accounts", null), 401, "unauthenticated");
    }

    @Test
    void theAccountOfTheFirstUseIsGoneOnceItIsRemoved() throws Exception {
        Accounts accounts = of("acct-first");
        assertThat(accounts.ids()).containsExactly("paper");
        assertThat(accounts.delete("paper").status()).isEqualTo(204);
        assertThat(accounts.list()).isEmpty();
        refused(accounts.buy("paper", "acct-4"), 422, "unknown-account");
        refused(accounts.trader().post("/v1/worker"), 422, "unknown-account");
    }

    @DisplayName("A8 a change reaches the lifecycle of a running worker, and is repeated when the call is")
    @Test
    void aRunningWorkerIsTold() throws Exception {
        Accounts accounts = of("acct-told");
        accounts.put("mine", "PKTOLD1234", SECRET);
        assertThat(accounts.buy("mine", "acct-5").text("status")).isEqualTo("FILLED");
        accounts.put("mine", "PKTOLD1234", SECRET);
        accounts.delete("mine");
        accounts.delete("mine");
        // A call that Temporal is slow to take is answered before it is known to be there.
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(new TemporalCli(stack).history("worker:acct-told"))
                        .filteredOn(event -> event.path("workflowExecutionSignaledEventAttributes")
                                .path("signalName")
                                .asText()
                                .equals("reloadCredentials"))
                        .hasSize(3));
    }

    @Test
    void aWorkerStartsWithTheAccountThatIsAskedFor() throws Exception {
        Accounts accounts = of("acct-start");
        accounts.put("mine", "PKSTART1234", SECRET);
        String asked = "{\"account\":" + Trader.ACCOUNT + "}";
        Answer started = stack.api()
                .call(
                        "POST",
                        "/v1/worker",
                        asked,
                        "Authorization",
                        accounts.trader().bearer());
        assertThat(started.status()).isEqualTo(202);
        refused(
                stack.api()
                        .call(
                                "POST",
                                "/v1/worker",
                                asked.replace("\"paper\"}", "\"nobodys\"}"),
                                "Authorization",
                                accounts.trader().bearer()),
                422,
                "unknown-account");
    }

    @ParameterizedTest
    @DisplayName("A body that holds no credentials is refused, and what it holds is repeated nowhere")
    @ValueSource(
            strings = {
                "{\"keyId\":\"PK\",\"secret\":hush-1}",
                "{\"keyId\":\"PK\",\"secret\":\"hush-1\"",
                "{\"keyId\":\"PK\",\"secret\":[\"hush-1\"]}",
                "{\"keyId\":\"PK\",\"secret\":{\"hush-1\":1}}",
                "{\"keyId\":\"PK\",\"secret\":\"hush 1\"}",
                "{\"keyId\":\"PK\",\"secret\":\"\"}",
                "{\"keyId\":\"PK\",\"hush-1\":\"hush-2\"}",
                "\"hush-1\"",
                "hush-1",
                ""
            })
    void aBadBodyIsNotRepeated(String body) throws Exception {
        refused(of("acct-bad").put(PAPER, body), 400, "malformed-json");
        assertThat(of("acct-bad").ids()).containsExactly("paper");
    }

    @ParameterizedTest(name = "{0} {1} -> {2} {3}")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                PAPER + ", `{\"keyId\":\"hush-key id\",\"secret\":\"hush-1\"}`, 422, invalid-account",
                PAPER + ", `{\"secret\":\"hush-1\"}`, 422, invalid-account",
                PAPER + ", `{\"keyId\":\"PK\"}`, 422, invalid-account",
                "/v1/accounts/alpaca/equity/papr/mine, `{\"keyId\":\"PK\",\"secret\":\"hush-1\"}`, 422, invalid-account",
                "/v1/accounts/alpaca/equity/paper/m.ne, `{\"keyId\":\"PK\",\"secret\":\"hush-1\"}`, 422, invalid-account",
                "/v1/accounts/other/equity/paper/mine, `{\"keyId\":\"PK\",\"secret\":\"hush-1\"}`, 422, unsupported-broker",
                "/v1/accounts/alpaca/equity/live/mine, `{\"keyId\":\"PK\",\"secret\":\"hush-1\"}`, 422, live-not-enabled",
            })
    void whatIsNoAccountIsRefused(String path, String body, int status, String problem) throws Exception {
        refused(of("acct-bad").put(path, body), status, problem);
        assertThat(of("acct-bad").ids()).containsExactly("paper");
    }

    @DisplayName("A1 no log and no history holds a secret that was stored or refused")
    @Test
    void noLogAndNoHistoryHoldsASecret() throws Exception {
        Accounts accounts = of("acct-log");
        accounts.put("mine", "PKLOG1234", SECRET);
        accounts.put(PAPER, "{\"keyId\":\"PKLOG1234\",\"secret\":" + SECRET);
        accounts.buy("mine", "acct-6");
        accounts.put("mine", "PKLOG1234", SECRET + "-2");
        try (Stream<Path> logs = Files.list(stack.home().resolve("log"))) {
            for (Path log : logs.toList()) {
                assertThat(Files.readString(log, StandardCharsets.ISO_8859_1))
                        .as("%s", log)
                        .doesNotContain("hush");
            }
        }
        assertThat(Files.readString(stack.home().resolve("log/api.log")))
                .contains("credentials of acct-log", "\"userId\":\"acct-log\"");
        assertThat(new TemporalCli(stack).payloads("worker:acct-log"))
                .contains("acct-log")
                .doesNotContain("hush");
    }

    @DisplayName("A1 a worker's process has neither the library that opens stored credentials nor a database driver")
    @Test
    void workersCanNotOpenWhatIsStored() throws Exception {
        assertThat(Files.readString(stack.home().resolve("worker.command")))
                .contains("temporal-sdk")
                .doesNotContain("encryption-sdk")
                .doesNotContain("material-providers")
                .doesNotContain("kms")
                .doesNotContain("postgresql");
    }
}
