package dev.berth.acceptance.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.AccountsClient;
import dev.berth.acceptance.rest.AuditRecord;
import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A person as an identity provider names them, from the token to the venue and the audit. */
@Order(1)
@ExtendWith(StackExtension.class)
class IdentityTest {
    private final Stack stack;
    private final FleetOperator operator;
    private final BerthCommand berth;

    IdentityTest(Stack stack) throws Exception {
        this.stack = stack;
        this.operator = FleetOperator.of(stack);
        this.berth = new BerthCommand(stack);
    }

    @ParameterizedTest
    @Tag("T8")
    @DisplayName("A subject that is no user id trades, and the audit shows it beside the user id that operators find")
    @ValueSource(strings = {"auth0|507f1f77bcf86cd799439011", "Jane.Doe@example.com"})
    void foreignSubjectTradesAndIsAudited(String subject) throws Exception {
        Trader person =
                new Trader(stack.api(), subject, berth.done("token " + subject).strip());
        String userId = berth.done("user " + subject).strip();
        assertThat(userId).matches("u-[a-z2-7]{52}");
        JsonResponse me = person.get("/v1/me");
        assertThat(me.text("userId")).isEqualTo(userId);
        assertThat(me.text("subject")).isEqualTo(subject);
        Eventually.filled(person, "first");
        assertThat(berth.done("explain " + userId)).contains("The worker of " + userId);

        assertThat(new AccountsClient(stack, person)
                        .put("second", "identity-key", "secret")
                        .status())
                .isBetween(200, 204);
        AuditRecord row = operator.get("/audit?userId=" + userId + "&action=STORE_CREDENTIALS")
                .page(AuditRecord.class)
                .items()
                .getFirst();
        assertThat(row.actor()).isEqualTo(subject);
        assertThat(berth.done("audit --user " + userId + " --action store-credentials"))
                .contains(subject, userId);
    }

    @Test
    @Tag("X23")
    @DisplayName("A token with 200 groups, as Entra ID has them, is read")
    void largeTokenIsRead() throws Exception {
        String groups = "5f0c8c1e-6b1f-4b57-9d3b-2f1f6f6f0c11 ".repeat(200);
        String token = new Tokens(stack).sign("alice", groups + "orders:read", Duration.ofMinutes(1));
        assertThat(token.length()).isGreaterThan(10_000);
        JsonResponse me = new Trader(stack.api(), "alice", token).get("/v1/me");
        assertThat(me.list("scopes", String.class)).containsExactly("orders:read");
    }
}
