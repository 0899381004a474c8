package dev.berth.acceptance.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.FleetOperator.KillSwitch;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends requests generated from the OpenAPI document and checks that it announces every answer. */
@Tag("long")
@Order(1)
@ExtendWith(StackExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiDocumentTest {
    private static final String MANY = "100000";
    private static final String ONE_ORDER = "^/v1/orders/[{]clientOrderId[}]";

    private final Stack stack;
    private Schemathesis requests;
    private ApiReplica replica;

    ApiDocumentTest(Stack stack) {
        this.stack = stack;
    }

    /** Rate limits would hide the answers behind them. */
    @BeforeAll
    void startReplica() throws Exception {
        requests = Schemathesis.install();
        replica = ApiReplica.start(
                stack,
                Map.of(
                        "BERTH_RATES_COMMANDS_PER_SECOND", MANY,
                        "BERTH_RATES_CHANGES_PER_SECOND", MANY,
                        "BERTH_RATES_READS_PER_SECOND", MANY));
    }

    /**
     * Generated requests suspend the fleet and set kill switches. Users that stay suspended are no
     * harm: a resume would start workers for users of other classes, and fill the hosts.
     */
    @AfterEach
    void undoGeneratedCommands() throws Exception {
        FleetOperator operator = FleetOperator.of(stack);
        for (KillSwitch one : operator.killSwitches()) {
            if (one.on()) {
                String scope = one.userId() == null ? one.broker() : one.userId();
                operator.killSwitch(one.level().equals("all") ? one.level() : one.level() + ":" + scope, false);
            }
        }
        operator.tell("/workers:resume", "the test is over");
        assertThat(operator.fleet().suspended()).isFalse();
    }

    @AfterAll
    void stopReplica() {
        if (replica != null) {
            replica.close();
        }
    }

    @Test
    @Tag("E12")
    @DisplayName("Every answer to a user has a documented status, type and fields")
    void userAnswersMatchDocument() throws Exception {
        requests.check(replica.api(), stack.trader("generated").bearer(), "");
    }

    @Test
    @Tag("E12")
    @DisplayName("Every answer to an operator has a documented status, type and fields")
    void operatorAnswersMatchDocument() throws Exception {
        requests.check(replica.api(), FleetOperator.of(stack).bearer(), "");
    }

    /** Some 20,000 requests, for a quarter of an hour. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders:read",
                "orders:trade",
                "accounts:write",
                "fleet:read",
                "fleet:operate",
                "risk:write",
                "codec:read"
            })
    void answersToEachScopeMatchDocument(String scope) throws Exception {
        String token = new Tokens(stack).sign("generated-scope", scope);
        requests.check(replica.api(), "Bearer " + token, "", "--max-examples=60");
    }

    @Test
    @Tag("E12")
    @DisplayName("The answers about an existing order match the document")
    void orderAnswersMatchDocument() throws Exception {
        Trader trader = replica.of(Eventually.trading(stack, "generated-order"));
        assertThat(trader.submit(OrderBody.limit("rests", "AAPL", "buy", "1", "50"), 30)
                        .text("status"))
                .isEqualTo("NEW");
        requests.check(
                replica.api(),
                trader.bearer(),
                "[parameters]\n\"path.clientOrderId\" = \"rests\"\n",
                "--include-path-regex=" + ONE_ORDER);
        assertThat(trader.order("rests").status()).isEqualTo("CANCELED");
    }
}
