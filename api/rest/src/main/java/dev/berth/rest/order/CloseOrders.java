package dev.berth.rest.order;

import dev.berth.process.settings.BerthSettings;
import dev.berth.rest.Problem;
import dev.berth.rest.risk.RiskLook;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.position.CloseRequest;
import dev.berth.workflows.position.ClosingOrder;
import dev.berth.workflows.position.ClosingOrders;
import dev.berth.workflows.position.RefusedClose;
import dev.berth.workflows.position.UnansweredOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** Orders that close positions: submitted as those of users are. */
@Component("closingOrders")
public class CloseOrders implements ClosingOrders {
    /** The venue answers a market order within this, so that the close answers with what it got. */
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private static final Duration LONGEST_RETRY = Duration.ofSeconds(5);
    private static final Duration QUOTE_RETRY = Duration.ofSeconds(1);
    /** The first among the user's own: it ends a risk. */
    private static final int PRIORITY = 1;

    private final Submissions submissions;
    private final Orders orders;
    private final UnansweredOrders unanswered;
    private final Admission admission;
    private final RiskLook risk;
    private final Duration dispatchWithin;

    CloseOrders(
            Submissions submissions,
            Orders orders,
            UnansweredOrders unanswered,
            Admission admission,
            RiskLook risk,
            BerthSettings settings) {
        this.submissions = submissions;
        this.orders = orders;
        this.unanswered = unanswered;
        this.admission = admission;
        this.risk = risk;
        this.dispatchWithin = settings.orders().dispatchWithin();
    }

    /**
     * Checks the form of a symbol.
     *
     * @throws IllegalArgumentException when the text cannot be a symbol
     */
    public static String wellFormed(String symbol) {
        return OrderValidator.wellFormed(symbol);
    }

    /** Empty when it does not exist. */
    public Optional<OrderView> find(UserId userId, ClientOrderId id) {
        try {
            return Optional.of(OrderView.of(orders.current(userId, id)));
        } catch (Problem.Refusal refusal) {
            if (refusal.problem() == Problem.ORDER_NOT_FOUND || refusal.problem() == Problem.ORDER_ARCHIVED) {
                return Optional.empty();
            }
            throw refusal;
        }
    }

    @Override
    public List<UnansweredOrder> unanswered(UserId userId, AccountKey account) {
        return unanswered.of(userId, account);
    }

    @Override
    public @Nullable RefusedClose check(CloseRequest request, ClosingOrder order) {
        try {
            // The worker names it.
            wellFormed(order.symbol());
        } catch (IllegalArgumentException invalid) {
            return refused(Problem.INVALID_ORDER.because(String.valueOf(invalid.getMessage())));
        }
        Reason objection = risk.objection(order(request, order)).orElse(null);
        if (objection == null) {
            return null;
        }
        RefusedClose refused = refused(admission.refusal(objection));
        if (FailureCode.NO_QUOTE.isOf(objection)) {
            // This look has asked for quotes.
            throw FailureType.NOT_ADMITTED.failure(objection.text(), QUOTE_RETRY, refused);
        }
        return refused;
    }

    @Override
    public @Nullable RefusedClose submit(CloseRequest request, ClosingOrder order) {
        try {
            submissions.submit(order(request, order), ANSWER);
            return null;
        } catch (Problem.Refusal refusal) {
            if (isPassing(refusal)) {
                throw FailureType.NOT_ADMITTED.failure(
                        String.valueOf(refusal.getMessage()), retry(refusal), refused(refusal));
            }
            return refused(refusal);
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            throw FailureType.INTERRUPTED.failure("the API ends");
        }
    }

    private static boolean isPassing(Problem.Refusal refusal) {
        return refusal.status() == HttpStatus.TOO_MANY_REQUESTS || refusal.status() == HttpStatus.SERVICE_UNAVAILABLE;
    }

    private static Duration retry(Problem.Refusal refusal) {
        Duration after = Duration.ofSeconds(refusal.retryAfterSeconds().orElse(1L));
        return after.compareTo(LONGEST_RETRY) < 0 ? after : LONGEST_RETRY;
    }

    private static RefusedClose refused(Problem.Refusal refusal) {
        return new RefusedClose(refusal.problem().word(), String.valueOf(refusal.getMessage()));
    }

    /**
     * A symbol that this API does not open positions in may be closed: the position may have been
     * made elsewhere.
     */
    private OrderRequest order(CloseRequest request, ClosingOrder order) {
        OrderRequest plain = new OrderRequest(
                request.userId(),
                order.clientOrderId(),
                request.account(),
                order.symbol(),
                order.side(),
                OrderType.MARKET,
                order.quantity(),
                null,
                null,
                order.timeInForce(),
                PRIORITY,
                dispatchWithin,
                Instant.now().truncatedTo(ChronoUnit.MILLIS));
        OrderRequest traced = request.trace() == null ? plain : plain.traced(request.trace());
        return request.passesKillSwitches() ? traced.passingKillSwitches() : traced;
    }
}
