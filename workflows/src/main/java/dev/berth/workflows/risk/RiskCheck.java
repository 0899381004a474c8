package dev.berth.workflows.risk;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.order.Side;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An order's terms beside the limits of its account. A limit that needs a quote and has no fresh
 * one objects: no price says what the order would cost.
 */
public final class RiskCheck {
    private final OrderRequest order;
    private final OrderTerms terms;
    private final RiskLimits limits;
    private final @Nullable Quote quote;

    private RiskCheck(OrderRequest order, OrderTerms terms, RiskLimits limits, @Nullable Quote quote) {
        this.order = order;
        this.terms = terms;
        this.limits = limits;
        this.quote = quote;
    }

    /**
     * What speaks against the order under these terms; empty when nothing does.
     *
     * @param quote the last one that is known of its symbol
     * @param now by the clock of the quote
     */
    public static Optional<Reason> objection(
            OrderRequest order, OrderTerms terms, RiskLimits limits, @Nullable Quote quote, Instant now) {
        Quote fresh = quote != null && quote.isFresh(now) ? quote : null;
        RiskCheck check = new RiskCheck(order, terms, limits, fresh);
        return Stream.of(check.quantity(), check.notional(), check.collar(), check.unpriced())
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<Reason> quantity() {
        return limits.maxQuantity() != null && terms.quantity().compareTo(limits.maxQuantity()) > 0
                ? tooMuch("Quantity " + terms.quantity() + " is more than the " + limits.maxQuantity() + " that "
                        + account() + " may order at once. Order less, or have maxQuantity raised.")
                : Optional.empty();
    }

    private Optional<Reason> notional() {
        Optional<BigDecimal> price = worstPrice();
        if (limits.maxNotional() == null || price.isEmpty()) {
            return Optional.empty();
        }
        Decimal notional = new Decimal(price.get().multiply(terms.quantity().value()));
        return notional.compareTo(limits.maxNotional()) > 0
                ? tooMuch("The order is worth " + notional + ", more than the " + limits.maxNotional() + " that "
                        + account() + " may order at once. Order less, or have maxNotional raised.")
                : Optional.empty();
    }

    /**
     * The highest price that the order may trade at now. A limit to buy bounds it by itself; a
     * limit to sell does not: it trades at the bid when that is higher.
     */
    private Optional<BigDecimal> worstPrice() {
        if (order.side() == Side.BUY && terms.limitPrice() != null) {
            return Optional.of(terms.limitPrice().value());
        }
        return farSide()
                .map(market -> Stream.of(terms.limitPrice(), terms.stopPrice())
                        .flatMap(Stream::ofNullable)
                        .map(Decimal::value)
                        .reduce(market, BigDecimal::max));
    }

    private Optional<Reason> collar() {
        Decimal collar = limits.priceCollar();
        Optional<BigDecimal> market = farSide();
        if (collar == null || market.isEmpty()) {
            return Optional.empty();
        }
        return Stream.of(terms.limitPrice(), terms.stopPrice())
                .flatMap(Stream::ofNullable)
                .filter(price -> isOutside(price.value(), market.get(), collar.value()))
                .findFirst()
                .flatMap(price -> tooMuch("Price " + price + " is further from the market at "
                        + market.get().toPlainString() + " than priceCollar " + collar + " of " + account()
                        + " allows. Name a price nearer to the market, or have priceCollar raised."));
    }

    private static boolean isOutside(BigDecimal price, BigDecimal market, BigDecimal collar) {
        return price.subtract(market).abs().compareTo(market.multiply(collar)) > 0;
    }

    private Optional<BigDecimal> farSide() {
        return Optional.ofNullable(quote)
                .map(known -> known.farSide(order.side()).value());
    }

    /** A limit that cannot be checked; the reason applies only when no other limit objects. */
    private Optional<Reason> unpriced() {
        boolean namesPrice = terms.limitPrice() != null || terms.stopPrice() != null;
        if (limits.maxNotional() != null && worstPrice().isEmpty()) {
            return noQuote("maxNotional");
        }
        return limits.priceCollar() != null && namesPrice && farSide().isEmpty()
                ? noQuote("priceCollar")
                : Optional.empty();
    }

    private Optional<Reason> noQuote(String limit) {
        return Optional.of(FailureCode.NO_QUOTE.because("The price of " + order.symbol() + " is not known now, and "
                + limit + " of " + account()
                + " cannot be checked without it. Try again when there are quotes, or have the limit removed."));
    }

    private static Optional<Reason> tooMuch(String text) {
        return Optional.of(FailureCode.RISK_LIMIT.because(text));
    }

    private String account() {
        return "account " + order.account();
    }
}
