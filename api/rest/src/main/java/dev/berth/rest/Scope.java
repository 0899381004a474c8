package dev.berth.rest;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.berth.rest.identity.TokenClaims;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.HttpMethod;
import org.springframework.security.oauth2.jwt.Jwt;

/** What a token permits, by the words that {@link TokenClaims} finds in it. */
public enum Scope {
    ORDERS_READ("orders:read"),
    ORDERS_TRADE("orders:trade"),
    ACCOUNTS_WRITE("accounts:write"),
    FLEET_READ("fleet:read"),
    FLEET_OPERATE("fleet:operate"),
    RISK_WRITE("risk:write"),
    /** The scope of an Alertmanager, and of no operator. */
    ALARMS_WRITE("alarms:write"),
    CODEC_READ("codec:read"),
    /** The scope of a customer's machine, which executes the customer's orders. */
    REMOTE("remote");

    /** Stands for the three scopes of an operator. */
    private static final String FLEET = "fleet";

    /** Every word that grants something. */
    public static final Set<String> WORDS = Stream.concat(Stream.of(values()).map(Scope::toString), Stream.of(FLEET))
            .collect(Collectors.collectingAndThen(
                    Collectors.toCollection(LinkedHashSet::new), Collections::unmodifiableSet));

    private static final Set<String> READING = Set.of(HttpMethod.GET.name(), HttpMethod.HEAD.name());

    private static final String CODEC = "/codec/";

    private static final String ME = "/v1/me";

    /** An account's path has four parts; its orders follow, or a close of its positions. */
    private static final Pattern TRADING_OF_ACCOUNT =
            Pattern.compile("/v1/accounts(/[^/]+){4}(/orders/[^/]+|/positions:close)");

    private final String word;

    Scope(String word) {
        this.word = word;
    }

    /**
     * The scope that a call needs; {@code path} may contain placeholders.
     *
     * @return empty when any valid token will do
     */
    public static Optional<Scope> of(String method, String path) {
        return path.equals(ME) ? Optional.empty() : Optional.of(needed(method, path));
    }

    private static Scope needed(String method, String path) {
        boolean reads = READING.contains(method);
        if (path.startsWith(CODEC)) {
            return CODEC_READ;
        }
        if (path.equals("/v1/fleet/alarms")) {
            return ALARMS_WRITE;
        }
        if (path.startsWith("/v1/fleet/kill-switch") || path.startsWith("/v1/fleet/limits")) {
            return reads ? FLEET_READ : RISK_WRITE;
        }
        if (path.equals("/v1/fleet") || path.startsWith("/v1/fleet/")) {
            return reads ? FLEET_READ : FLEET_OPERATE;
        }
        if (path.equals("/v1/remote")) {
            return REMOTE;
        }
        if (reads) {
            return ORDERS_READ;
        }
        if (TRADING_OF_ACCOUNT.matcher(path).matches()) {
            return ORDERS_TRADE;
        }
        // A webhook sends what a user does to another address.
        return path.startsWith("/v1/accounts") || path.startsWith("/v1/webhooks") ? ACCOUNTS_WRITE : ORDERS_TRADE;
    }

    /** By the decoded path, as the controllers are found: {@code /v1/%66leet} is the fleet. */
    static Optional<Scope> of(HttpServletRequest call) {
        return of(call.getMethod(), call.getServletPath());
    }

    /** What a token permits. */
    public static Set<Scope> granted(Jwt token) {
        Set<String> words = Set.copyOf(List.of(
                Objects.toString(token.getClaimAsString(TokenClaims.SCOPE), "").split(" ")));
        return Stream.of(values())
                .filter(scope -> !Collections.disjoint(words, scope.words()))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Scope.class)));
    }

    /** The words of a token's claim of which one is needed. */
    private Set<String> words() {
        return switch (this) {
            case ORDERS_READ, ORDERS_TRADE, ACCOUNTS_WRITE, ALARMS_WRITE, CODEC_READ, REMOTE -> Set.of(word);
            case FLEET_READ, FLEET_OPERATE, RISK_WRITE -> Set.of(word, FLEET);
        };
    }

    /** The word of a token's claim. */
    @JsonValue
    @Override
    public String toString() {
        return word;
    }
}
