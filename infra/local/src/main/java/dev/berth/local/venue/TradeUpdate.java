package dev.berth.local.venue;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message of Alpaca's {@code trade_updates} stream: {@code order} as it stood after the event.
 *
 * @param executionId of the fill; of the execution that a {@code trade_bust} takes back; else new with each message
 * @param fill for {@code fill}, {@code partial_fill} and {@code trade_bust} only
 * @param positionQty shares held after that, negative when short
 */
record TradeUpdate(
        String event,
        UUID executionId,
        Order order,
        Instant time,
        @Nullable Fill fill,
        @Nullable BigDecimal positionQty) {

    /** What {@code event}, just applied to {@code book}, tells the owner of an order; else null. */
    static @Nullable TradeUpdate of(BookEvent event, Book book) {
        return switch (event) {
            case BookEvent.OrderAccepted e -> plain(book.order(e.id()), e.time());
            case BookEvent.OrderEnded e -> plain(book.order(e.order()), e.time());
            case BookEvent.OrderReplaced e -> plain(book.order(e.order()), e.time());
            case BookEvent.OrderFilled e -> filled(book.order(e.order()), e.fill(), book);
            case BookEvent.LateExecution e -> filled(book.order(e.order()), e.fill(), book);
            case BookEvent.ExecutionBusted e -> busted(book.order(e.order()), e, book);
            case BookEvent.OrderTriggered _,
                    BookEvent.AccountOpened _,
                    BookEvent.QuoteSet _,
                    BookEvent.SubmissionArrived _,
                    BookEvent.SubmissionJudged _ -> null;
        };
    }

    /** Outside fills, Alpaca names the event after the status that it leads to. */
    private static TradeUpdate plain(Order order, Instant time) {
        return new TradeUpdate(Json.word(order.status()), UUID.randomUUID(), order, time, null, null);
    }

    /** Of an execution that stands; told again it is the same execution. */
    static TradeUpdate filled(Order order, Fill fill, Book book) {
        String event = order.status() == OrderStatus.FILLED ? "fill" : "partial_fill";
        return new TradeUpdate(event, fill.executionId(), order, fill.time(), fill, held(order, book));
    }

    /** In the words of Alpaca's Broker API: its Trading API has none for it. */
    private static TradeUpdate busted(Order order, BookEvent.ExecutionBusted bust, Book book) {
        var fill = bust.fill();
        return new TradeUpdate("trade_bust", fill.executionId(), order, bust.time(), fill, held(order, book));
    }

    private static BigDecimal held(Order order, Book book) {
        return book.account(order.account()).position(order.terms().symbol()).qty();
    }
}
