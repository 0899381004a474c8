package dev.berth.local.venue;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message of Alpaca's {@code trade_updates} stream: {@code order} as it stood after the event.
 *
 * @param executionId of the fill; else new for each message
 * @param corrected the execution that {@code trade_bust} busts, or whose place this one takes, for
 *     {@code trade_correct}
 * @param fill for {@code fill}, {@code partial_fill}, {@code trade_bust} and {@code trade_correct}
 *     only
 * @param positionQty shares held after that, negative when short
 * @param replacedClientOrderId of the order whose place the new order takes; else null
 */
record TradeUpdate(
        String event,
        UUID executionId,
        @Nullable UUID corrected,
        VenueOrder order,
        Instant time,
        @Nullable Fill fill,
        @Nullable BigDecimal positionQty,
        @Nullable String replacedClientOrderId) {

    /** The update for {@code event}, which {@code book} already contains; null without one. */
    static @Nullable TradeUpdate of(BookEvent event, Book book) {
        return switch (event) {
            case BookEvent.OrderAccepted e -> accepted(book.order(e.id()), e, book);
            case BookEvent.OrderOpened e -> plain(book.order(e.order()), e.time());
            case BookEvent.OrderEnded e -> plain(book.order(e.order()), e.time());
            case BookEvent.OrderReplaced e -> plain(book.order(e.order()), e.time());
            case BookEvent.OrderFilled e -> filled(book.order(e.order()), e.fill(), book);
            case BookEvent.LateExecution e -> filled(book.order(e.order()), e.fill(), book);
            case BookEvent.ExecutionBusted e -> busted(book.order(e.order()), e, book);
            case BookEvent.ExecutionCorrected e -> corrected(book.order(e.order()), e, book);
            case BookEvent.OrderTriggered _,
                    BookEvent.AccountOpened _,
                    BookEvent.QuoteSet _,
                    BookEvent.SessionSet _,
                    BookEvent.SubmissionArrived _,
                    BookEvent.SubmissionJudged _ -> null;
        };
    }

    private static TradeUpdate accepted(VenueOrder order, BookEvent.OrderAccepted e, Book book) {
        var replaced =
                e.replaces() == null ? null : book.order(e.replaces()).terms().clientOrderId();
        return plain(order, e.time(), replaced);
    }

    private static TradeUpdate plain(VenueOrder order, Instant time) {
        return plain(order, time, null);
    }

    /** Apart from fills, Alpaca names the event after the new status. */
    private static TradeUpdate plain(VenueOrder order, Instant time, @Nullable String replaced) {
        var event = VenueJson.word(order.status());
        return new TradeUpdate(event, UUID.randomUUID(), null, order, time, null, null, replaced);
    }

    /** The update of an execution; a repeat has the same execution id. */
    static TradeUpdate filled(VenueOrder order, Fill fill, Book book) {
        String event = order.status() == VenueOrderStatus.FILLED ? "fill" : "partial_fill";
        return new TradeUpdate(event, fill.executionId(), null, order, fill.time(), fill, held(order, book), null);
    }

    /** The event name of Alpaca's Broker API: the Trading API has none for a bust. */
    private static TradeUpdate busted(VenueOrder order, BookEvent.ExecutionBusted bust, Book book) {
        var fill = bust.fill();
        return new TradeUpdate(
                "trade_bust", UUID.randomUUID(), fill.executionId(), order, bust.time(), fill, held(order, book), null);
    }

    /** The event name of Alpaca's Broker API. */
    private static TradeUpdate corrected(VenueOrder order, BookEvent.ExecutionCorrected e, Book book) {
        var fill = e.fill();
        return new TradeUpdate(
                "trade_correct",
                fill.executionId(),
                e.corrected().executionId(),
                order,
                e.time(),
                fill,
                held(order, book),
                null);
    }

    /** Whether it is the order's first one. */
    boolean isFirst() {
        return event.equals("accepted") || (event.equals("new") && time.equals(order.createdAt()));
    }

    private static BigDecimal held(VenueOrder order, Book book) {
        return book.account(order.account()).position(order.terms().symbol()).qty();
    }
}
