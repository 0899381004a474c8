package dev.berth.local.venue;

import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import quickfix.FieldNotFound;
import quickfix.Message;
import quickfix.field.ClOrdID;
import quickfix.field.MsgType;
import quickfix.field.OrigClOrdID;
import quickfix.field.PossDupFlag;
import quickfix.field.PossResend;

/**
 * NewOrderSingle and OrderCancelReplaceRequest. Each is an arrival on receipt, as in REST, and only
 * then delayed, met by a fault or booked. The reports of the book are the answer.
 */
final class FixSubmissions {

    private static final Logger LOG = LoggerFactory.getLogger(FixSubmissions.class);

    private final Exchange exchange;
    private final FixSessions sessions;
    private final FaultDice dice;
    private final InstantSource clock;

    FixSubmissions(Exchange exchange, FixSessions sessions, FaultDice dice, InstantSource clock) {
        this.exchange = exchange;
        this.sessions = sessions;
        this.dice = dice;
        this.clock = clock;
    }

    void receive(String account, Message message) throws FieldNotFound {
        var arrival = arrival(account, message);
        var draw = dice.draw(false);
        exchange.recordArrival(arrival);
        var _ = draw.release()
                .thenRunAsync(() -> {}, after(draw.delay()))
                .thenRun(() -> carryOut(account, message, arrival, draw.fault()))
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        LOG.error("a submission over FIX failed", failure);
                    }
                });
    }

    /** Records an arrival that the session's refused credentials keep from the book. */
    void refuse(String account, Message message) throws FieldNotFound {
        var arrival = arrival(account, message);
        exchange.recordArrival(arrival);
        exchange.judge(arrival.id(), SubmissionVerdict.UNAUTHORIZED);
    }

    private VenueArrival arrival(String account, Message message) throws FieldNotFound {
        return new VenueArrival(
                UUID.randomUUID(),
                clock.instant(),
                account,
                message.getString(ClOrdID.FIELD),
                FixTerms.epoch(message),
                SubmissionVerdict.PENDING);
    }

    private void carryOut(String account, Message message, VenueArrival arrival, FaultDice.SubmissionFault fault) {
        try {
            switch (fault) {
                case HANG -> exchange.judge(arrival.id(), SubmissionVerdict.HUNG);
                case REFUSE -> throw VenueRefusal.busyByFault();
                case SERVER_ERROR -> {
                    exchange.judge(arrival.id(), SubmissionVerdict.SERVER_ERROR);
                    sessions.send(account, FixRejections.unavailable(message, "the venue is not available"));
                }
                case DROP_ANSWER -> {
                    sessions.cut(account);
                    book(account, message, arrival, SubmissionVerdict.ANSWER_DROPPED);
                }
                case NONE, REPLACE_ERROR -> book(account, message, arrival, SubmissionVerdict.ACCEPTED);
            }
        } catch (VenueRefusal refusal) {
            exchange.judge(arrival.id(), refusal.verdict());
            sessions.send(account, answer(account, message, refusal));
        }
    }

    private void book(String account, Message message, VenueArrival arrival, SubmissionVerdict verdict) {
        var id = String.valueOf(arrival.clientOrderId());
        if (!replaces(message)) {
            exchange.submit(account, FixTerms.order(message, id), arrival.id(), verdict);
            return;
        }
        var replaced = named(account, message);
        if (replaced == null) {
            throw VenueRefusal.orderNotFound(String.valueOf(FixTerms.text(message, OrigClOrdID.FIELD)));
        }
        exchange.replace(account, replaced.id(), old -> FixTerms.replacement(old, message, id), arrival.id(), verdict);
    }

    private Message answer(String account, Message message, VenueRefusal refusal) {
        var text = String.valueOf(refusal.getMessage());
        var known = refusal.kind() == VenueRefusal.Kind.DUPLICATE_ID ? sent(account, message) : null;
        if (known != null && isPossiblySentAgain(message)) {
            return FixReport.status(known);
        }
        return replaces(message)
                ? FixRejections.cancel(message, named(account, message), FixCodes.cxlRejReason(refusal), text)
                : FixRejections.order(message, FixCodes.ordRejReason(refusal), text);
    }

    /** The order that already has the client order id of the message. */
    private @Nullable VenueOrder sent(String account, Message message) {
        return exchange.read(book -> FixOrders.byClientId(book, account, message, ClOrdID.FIELD));
    }

    /** The order that a replacement names. */
    private @Nullable VenueOrder named(String account, Message message) {
        return exchange.read(book -> FixOrders.find(book, account, message, OrigClOrdID.FIELD));
    }

    private static boolean replaces(Message message) {
        return MsgType.ORDER_CANCEL_REPLACE_REQUEST.equals(FixRejections.type(message));
    }

    /** FIX answers such a message of a known order with the order's status. */
    private static boolean isPossiblySentAgain(Message message) {
        return isYes(message, PossResend.FIELD) || isYes(message, PossDupFlag.FIELD);
    }

    private static boolean isYes(Message message, int tag) {
        return message.getHeader().getOptionalString(tag).filter("Y"::equals).isPresent();
    }

    private static Executor after(Duration delay) {
        Executor thread = Thread::startVirtualThread;
        return delay.isZero()
                ? Runnable::run
                : CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, thread);
    }
}
