package dev.berth.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScopeTest {
    @ParameterizedTest
    @Tag("X23")
    @DisplayName("Each call needs one scope, by its method and path")
    @CsvSource({
        "GET, /v1/orders, orders:read",
        "HEAD, /v1/orders/o-1/events, orders:read",
        "POST, /v1/orders, orders:trade",
        "POST, /v1/orders:batch, orders:trade",
        "PATCH, /v1/orders/o-1, orders:trade",
        "DELETE, /v1/orders/o-1, orders:trade",
        "GET, /v1/worker, orders:read",
        "POST, /v1/worker, orders:trade",
        "DELETE, /v1/worker, orders:trade",
        "GET, /v1/accounts, orders:read",
        "PUT, /v1/accounts/alpaca/equity/paper/a/credentials, accounts:write",
        "DELETE, /v1/accounts/alpaca/equity/paper/a, accounts:write",
        "GET, /v1/accounts/alpaca/equity/paper/a/positions, orders:read",
        "DELETE, /v1/accounts/alpaca/equity/paper/a/orders/v-1, orders:trade",
        "POST, /v1/accounts/alpaca/equity/paper/a/positions:close, orders:trade",
        "PUT, /v1/webhooks/ops, accounts:write",
        "POST, /v1/webhooks/ops:test, accounts:write",
        "GET, /v1/webhooks, orders:read",
        "GET, /v1/fleet, fleet:read",
        "GET, /v1/fleet/kill-switch, fleet:read",
        "GET, /v1/fleet/orders, fleet:read",
        "POST, /v1/fleet/workers:suspend, fleet:operate",
        "POST, /v1/fleet/attention:requeue, fleet:operate",
        "POST, /v1/fleet/attention:resolve, fleet:operate",
        "GET, /v1/brokers, orders:read",
        "PUT, /v1/fleet/kill-switch, risk:write",
        "PUT, /v1/fleet/limits/alice/alpaca/equity/paper/a, risk:write",
        "PUT, /v1/fleet/webhooks/ops, fleet:operate",
        "GET, /v1/fleet/webhooks, fleet:read",
        "POST, /v1/fleet/alarms, alarms:write",
        "POST, /codec/decode, codec:read",
        "POST, /codec/encode, codec:read",
        "GET, /v1/fleet/users, fleet:read",
        "GET, /v1/me,"
    })
    void scopeOfCall(String method, String path, @Nullable String scope) {
        assertThat(Scope.of(method, path).map(Scope::toString)).isEqualTo(Optional.ofNullable(scope));
    }
}
