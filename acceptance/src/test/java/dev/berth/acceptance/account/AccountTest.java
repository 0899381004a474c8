package dev.berth.acceptance.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.AccountsClient;
import dev.berth.acceptance.rest.AccountsClient.StoredAccount;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(StackExtension.class)
class AccountTest {
    private static final String SECRET = "hush-hush-hush";
    private static final String PAPER = "/v1/accounts/alpaca/equity/paper/mine";
    private static final String FIX = "/v1/accounts/fix/equity/paper/mine";

    private final Stack stack;

    AccountTest(Stack stack) {
        this.stack = stack;
    }

    private AccountsClient accountsOf(String user) throws Exception {
        return new AccountsClient(stack, stack.trader(user));
    }

    private static void assertRefused(JsonResponse answer, int status, String problem) {
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(status);
        assertThat(answer.text("type")).isEqualTo("urn:berth:problem:" + problem);
        assertThat(answer.text("detail")).isNotEmpty();
        assertThat(answer.raw().body()).doesNotContain("hush");
    }

    @Tag("A1")
    @DisplayName("An order uses the credentials of its account, which no call returns")
    @Test
    void orderUsesCredentialsOfItsAccount() throws Exception {
        AccountsClient accounts = accountsOf("acct-trades");
        JsonResponse stored = accounts.put("mine", "PKTRADES1234", SECRET);
        assertThat(stored.status()).isEqualTo(200);
        assertThat(stored.text("keyId")).isEqualTo("****1234");

        assertThat(accounts.buy("mine", "acct-1").text("status")).isEqualTo("FILLED");
        assertThat(accounts.keysAtTheVenue("acct-1")).containsExactly("PKTRADES1234");

        StoredAccount mine = accounts.list().getFirst();
        assertThat(mine.account().accountId()).isEqualTo("mine");
        assertThat(mine.keyId()).isEqualTo("****1234");
        assertThat(mine.storedAt()).isNotNull();
        assertThat(stored.raw().body() + accounts.get().raw().body())
                .doesNotContain("hush")
                .doesNotContain("PKTRADES");
    }

    @Test
    @DisplayName("A query parameter does not change the account that the path names")
    void queryCannotNameAnotherAccount() throws Exception {
        AccountsClient accounts = accountsOf("acct-query");
        accounts.put("keep", "PKKEEP", SECRET);
        accounts.put("mine", "PKMINE", SECRET);
        assertThat(accounts.trader().delete(PAPER + "?accountId=keep").status()).isEqualTo(204);
        assertThat(accounts.ids()).containsExactly("keep", "paper");
    }

    @Tag("A8")
    @DisplayName("Each change of credentials has a higher version, also after a removal")
    @Test
    void versionsGrowAcrossRemoval() throws Exception {
        AccountsClient accounts = accountsOf("acct-versions");
        long first =
                accounts.put("mine", "PKONE", SECRET).as(StoredAccount.class).version();
        assertThat(accounts.delete("mine").status()).isEqualTo(204);
        assertThat(accounts.delete("mine").status()).isEqualTo(204);
        assertThat(accounts.ids()).containsExactly("paper");
        assertRefused(accounts.buy("mine", "acct-2"), 422, "unknown-account");
        assertThat(accounts.put("mine", "PKTWO", SECRET).as(StoredAccount.class).version())
                .isGreaterThan(first);
        assertThat(accounts.ids()).containsExactly("mine", "paper");
    }

    @Tag("A1")
    @DisplayName("A user cannot see, use or remove another user's accounts")
    @Test
    void otherUsersAccountsAreInvisible() throws Exception {
        AccountsClient owner = accountsOf("acct-owner");
        AccountsClient other = accountsOf("acct-other");
        owner.put("mine", "PKOWNER1234", SECRET);
        assertThat(other.ids()).containsExactly("paper");
        assertRefused(other.buy("mine", "acct-3"), 422, "unknown-account");
        assertThat(other.delete("mine").status()).isEqualTo(204);
        assertThat(owner.ids()).containsExactly("mine", "paper");
        assertRefused(stack.api().call("GET", "/v1/accounts", null), 401, "unauthenticated");
    }

    @Test
    @DisplayName("The default account is unknown once it is removed")
    void removedDefaultAccountIsUnknown() throws Exception {
        AccountsClient accounts = accountsOf("acct-first");
        assertThat(accounts.ids()).containsExactly("paper");
        assertThat(accounts.delete("paper").status()).isEqualTo(204);
        assertThat(accounts.ids()).isEmpty();
        assertRefused(accounts.buy("paper", "acct-4"), 422, "unknown-account");
        assertThat(accounts.trader()
                        .delete("/v1/accounts/fix/equity/paper/paper")
                        .status())
                .isEqualTo(204);
        assertRefused(accounts.trader().post("/v1/worker"), 422, "unknown-account");
    }

    @Tag("A8")
    @DisplayName("Each change of credentials, repeated or not, signals the lifecycle of a running worker")
    @Test
    void repeatedChangeSignalsLifecycleAgain() throws Exception {
        AccountsClient accounts = accountsOf("acct-told");
        accounts.put("mine", "PKTOLD1234", SECRET);
        assertThat(accounts.buy("mine", "acct-5").text("status")).isEqualTo("FILLED");
        accounts.put("mine", "PKTOLD1234", SECRET);
        accounts.delete("mine");
        accounts.delete("mine");
        // The API answers before a slow Temporal confirms the signal.
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(new TemporalCli(stack).history("worker:acct-told"))
                        .filteredOn(event -> event.isSignal("reloadCredentials"))
                        .hasSize(3));
    }

    @Test
    @DisplayName("A start opens the requested account and refuses an unknown one")
    void startUsesRequestedAccount() throws Exception {
        AccountsClient accounts = accountsOf("acct-start");
        accounts.put("mine", "PKSTART1234", SECRET);
        String asked = "{\"account\":" + Trader.ACCOUNT + "}";
        JsonResponse started = stack.api()
                .call(
                        "POST",
                        "/v1/worker",
                        asked,
                        "Authorization",
                        accounts.trader().bearer());
        assertThat(started.status()).isEqualTo(202);
        assertRefused(
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
    @DisplayName("A malformed body is refused, and no answer repeats its values")
    @ValueSource(
            strings = {
                "{\"keyId\":\"PK\",\"secret\":hush-1}",
                "{\"keyId\":\"PK\",\"secret\": hush}",
                "{\"keyId\":\"PK\",\"secret\":\"hush-1\"",
                "\"hush-1\"",
                "hush-1",
                ""
            })
    void malformedCredentialsAreNotEchoed(String body) throws Exception {
        assertRefused(accountsOf("acct-bad").put(PAPER, body), 400, "malformed-json");
        assertThat(accountsOf("acct-bad").ids()).containsExactly("paper");
    }

    @ParameterizedTest(name = "{0} {1} -> {2} {3}")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                PAPER + ", `{\"keyId\":\"hush-key id\",\"secret\":\"hush-1\"}`, 422, invalid-account",
                PAPER + ", `{\"secret\":\"hush-1\"}`, 422, invalid-account",
                PAPER + ", `{\"keyId\":\"PK\"}`, 422, invalid-account",
                PAPER + ", `{\"keyId\":\"PK\",\"secret\":[\"hush-1\"]}`, 422, invalid-account",
                PAPER + ", `{\"keyId\":\"PK\",\"secret\":{\"hush-1\":1}}`, 422, invalid-account",
                PAPER + ", `{\"keyId\":\"PK\",\"secret\":\"hush 1\"}`, 422, invalid-account",
                PAPER + ", `{\"keyId\":\"PK\",\"secret\":\"\"}`, 422, invalid-account",
                PAPER + ", `{\"keyId\":\"PK\",\"hush-1\":\"hush-2\"}`, 422, invalid-account",
                PAPER + ", `{\"keyId\":\"PK\",\"secret\":\"hush-1\",\"host\":\"h\",\"port\":1}`, 422, invalid-account",
                FIX + ", `{\"keyId\":\"PK\",\"secret\":\"hush-1\",\"host\":\"h\",\"port\":0}`, 422, invalid-account",
                FIX + ", `{\"keyId\":\"PK\",\"secret\":\"hush-1\",\"tlsAuthority\":\"hush\"}`, 422, invalid-account",
                "/v1/accounts/alpaca/equity/papr/mine, `{\"keyId\":\"PK\",\"secret\":\"hush-1\"}`, 422, invalid-account",
                "/v1/accounts/alpaca/equity/paper/m.ne, `{\"keyId\":\"PK\",\"secret\":\"hush-1\"}`, 422, invalid-account",
                "/v1/accounts/other/equity/paper/mine, `{\"keyId\":\"PK\",\"secret\":\"hush-1\"}`, 422, unsupported-broker",
                "/v1/accounts/alpaca/equity/live/mine, `{\"keyId\":\"PK\",\"secret\":\"hush-1\"}`, 422, live-not-enabled",
            })
    @DisplayName("An invalid or unsupported account is refused")
    void invalidAccountIsRefused(String path, String body, int status, String problem) throws Exception {
        assertRefused(accountsOf("acct-invalid").put(path, body), status, problem);
        assertThat(accountsOf("acct-invalid").ids()).containsExactly("paper");
    }

    @Tag("A1")
    @DisplayName("No log and no history holds a stored or refused secret")
    @Test
    void secretsAppearInNoLogOrHistory() throws Exception {
        AccountsClient accounts = accountsOf("acct-log");
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

    @Tag("A1")
    @DisplayName("A worker has neither the library that decrypts stored credentials nor a database driver")
    @Test
    void workerCannotDecryptStoredCredentials() throws Exception {
        assertThat(Files.readString(stack.home().resolve("worker.command")))
                .contains("temporal-sdk")
                .doesNotContain("encryption-sdk")
                .doesNotContain("material-providers")
                .doesNotContain("kms")
                .doesNotContain("postgresql");
    }
}
