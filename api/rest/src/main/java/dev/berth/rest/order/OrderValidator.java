package dev.berth.rest.order;

import dev.berth.process.settings.BerthSettings;
import dev.berth.rest.Problem;
import dev.berth.rest.broker.Brokers;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.UserId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.order.OrderRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Turns a submission into an order, or refuses it. */
@Component
public class OrderValidator {
    private static final int DEFAULT_PRIORITY = 3;
    /** Symbols of venues, such as {@code BRK.B}, {@code BTC/USD} or an option's 21 characters. */
    private static final Pattern SYMBOL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9./:_-]{0,31}");

    private final BerthSettings.Orders settings;

    OrderValidator(BerthSettings settings) {
        this.settings = settings.orders();
    }

    /**
     * Checks the submission without calling any server.
     *
     * @param idempotencyKey an alternative to the client order id
     * @throws Problem.Refusal with the first error
     */
    OrderRequest accept(UserId userId, NewOrder order, Optional<String> idempotencyKey) {
        try {
            OrderRequest request = new OrderRequest(
                    userId,
                    clientOrderId(order, idempotencyKey),
                    account(required("account", order.account())),
                    symbol(required("symbol", order.symbol())),
                    required("side", order.side()),
                    required("type", order.type()),
                    decimal("quantity", required("quantity", order.quantity())),
                    order.limitPrice() == null ? null : decimal("limitPrice", order.limitPrice()),
                    order.stopPrice() == null ? null : decimal("stopPrice", order.stopPrice()),
                    required("timeInForce", order.timeInForce()),
                    order.priority() == null ? DEFAULT_PRIORITY : order.priority(),
                    dispatchWithin(order.dispatchWithin()),
                    Instant.now().truncatedTo(ChronoUnit.MILLIS));
            Brokers.requireSupported(request);
            return request;
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_ORDER.because(String.valueOf(invalid.getMessage()));
        }
    }

    private static ClientOrderId clientOrderId(NewOrder order, Optional<String> idempotencyKey) {
        String given = order.clientOrderId();
        if (given != null && idempotencyKey.isPresent() && !given.equals(idempotencyKey.get())) {
            throw Problem.INVALID_ORDER.because(
                    "clientOrderId and the header Idempotency-Key differ. Send one of them, or the same value in both.");
        }
        ClientOrderId id = new ClientOrderId(
                given != null
                        ? given
                        : idempotencyKey.orElseGet(() -> UUID.randomUUID().toString()));
        if (!VenueClientOrderId.isFree(id)) {
            throw Problem.INVALID_ORDER.because("Client order ids that end with .r and a number are reserved for"
                    + " replacements. Use another id than " + id + ".");
        }
        return id;
    }

    private AccountKey account(AccountKey account) {
        if (account.environment() == Environment.LIVE && !settings.live()) {
            throw Problem.LIVE_NOT_ENABLED.because(
                    "Use an account with environment paper, or ask for berth.orders.live to be enabled.");
        }
        return account;
    }

    /**
     * Checks the form of a symbol.
     *
     * @throws IllegalArgumentException when the text cannot be a symbol
     */
    public static String wellFormed(String symbol) {
        if (!SYMBOL.matcher(symbol).matches()) {
            throw new IllegalArgumentException(
                    "symbol is 1 to 32 letters, digits, dots, slashes, colons, underscores or"
                            + " hyphens, and starts with a letter or digit.");
        }
        return symbol;
    }

    private String symbol(String given) {
        String symbol = wellFormed(given);
        if (!settings.symbols().isEmpty() && !settings.symbols().contains(symbol)) {
            throw Problem.UNKNOWN_SYMBOL.because("Symbol " + symbol + " is not traded here. Symbols: "
                    + String.join(", ", settings.symbols().stream().sorted().toList()) + ".");
        }
        return symbol;
    }

    private Duration dispatchWithin(@Nullable Duration given) {
        Duration within = given == null ? settings.dispatchWithin() : given;
        if (within.compareTo(settings.dispatchWithinMax()) > 0) {
            throw Problem.INVALID_ORDER.because(
                    "dispatchWithin is at most " + settings.dispatchWithinMax() + ", not " + within + ".");
        }
        return within;
    }

    /** Parses a quantity or price. */
    static Decimal decimal(String field, String text) {
        try {
            return Decimal.of(text);
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_ORDER.because(field + ": " + invalid.getMessage());
        }
    }

    private static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw Problem.INVALID_ORDER.because(field + " is missing.");
        }
        return value;
    }
}
