package dev.berth.acceptance.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(StackExtension.class)
@Tag("X23")
class TokenScopeTest {
    private final Stack stack;

    TokenScopeTest(Stack stack) {
        this.stack = stack;
    }

    @ParameterizedTest
    @DisplayName("A token does what its scopes permit and nothing else; the refusal names the scope")
    @CsvSource({
        "orders:read, GET, /v1/orders, 200",
        "orders:read, GET, /v1/worker, 200",
        "orders:read, POST, /v1/orders, orders:trade",
        "orders:read, DELETE, /v1/orders/none, orders:trade",
        "orders:read, POST, /v1/worker, orders:trade",
        "orders:read, DELETE, /v1/accounts/alpaca/equity/paper/none, accounts:write",
        "orders:trade, POST, /v1/orders, 422",
        "orders:trade, GET, /v1/orders, orders:read",
        "'orders:read orders:trade accounts:write', GET, /v1/fleet, fleet:read",
        "'orders:read orders:trade accounts:write', GET, /v1/%66leet, fleet:read",
        "'orders:read orders:trade accounts:write', POST, /v1/fl%65et/workers:suspend, fleet:operate",
        "fleet:read, GET, /v1/fleet/kill-switch, 200",
        "fleet:read, PUT, /v1/fleet/kill-switch, risk:write",
        "fleet:read, POST, /v1/fleet/workers:suspend, fleet:operate",
        "fleet:operate, POST, /v1/fleet/workers:suspend, 400",
        "fleet:operate, PUT, /v1/fleet/kill-switch, risk:write",
        "risk:write, PUT, /v1/fleet/kill-switch, 400",
        "fleet, GET, /v1/fleet, 200",
        "fleet, POST, /v1/orders, orders:trade",
        "remote, GET, /v1/remote, 426",
        "remote, GET, /v1/orders, orders:read",
        "'orders:read orders:trade accounts:write', GET, /v1/remote, remote",
        "'', GET, /v1/orders, orders:read",
        "'', GET, /v1/me, 200",
        "fleet:read, GET, /v1/fleet/users?subject=A, 200",
        "orders:read, GET, /v1/fleet/users?subject=A, fleet:read"
    })
    void tokenDoesOnlyWhatScopesPermit(String scope, String method, String path, String outcome) throws Exception {
        String bearer = "Bearer " + new Tokens(stack).sign("scoped", scope);
        JsonResponse answer =
                stack.api().call(method, path, method.equals("GET") ? null : "{}", "Authorization", bearer);
        if (outcome.matches("\\d+")) {
            assertThat(answer.status()).isEqualTo(Integer.parseInt(outcome));
        } else {
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.text("detail")).contains("the scope " + outcome);
        }
    }
}
