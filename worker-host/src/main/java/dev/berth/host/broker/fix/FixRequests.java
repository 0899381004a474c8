package dev.berth.host.broker.fix;

import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import quickfix.Message;
import quickfix.UtcTimestampPrecision;
import quickfix.field.Account;
import quickfix.field.ClOrdID;
import quickfix.field.HandlInst;
import quickfix.field.MassCancelRequestType;
import quickfix.field.MassStatusReqID;
import quickfix.field.MassStatusReqType;
import quickfix.field.MsgType;
import quickfix.field.OrdStatusReqID;
import quickfix.field.OrdType;
import quickfix.field.OrderID;
import quickfix.field.OrderQty;
import quickfix.field.OrigClOrdID;
import quickfix.field.Price;
import quickfix.field.StopPx;
import quickfix.field.Symbol;
import quickfix.field.TimeInForce;
import quickfix.field.TransactTime;

/**
 * The messages to the counterparty.
 *
 * @param epoch of the worker, which orders name
 */
record FixRequests(AccountKey account, long epoch) {
    /** User-defined: the epoch of the worker that sends an order. */
    private static final int BERTH_EPOCH = 20001;

    Message order(OrderRequest order) {
        OrderTerms terms = new OrderTerms(order.quantity(), order.limitPrice(), order.stopPrice());
        return order(MsgType.ORDER_SINGLE, new VenueClientOrderId(order.clientOrderId(), 0), order, terms);
    }

    /** @param terms of the next version alone */
    Message replacement(OrderRequest order, VenueClientOrderId current, VenueClientOrderId next, OrderTerms terms) {
        Message message = order(MsgType.ORDER_CANCEL_REPLACE_REQUEST, next, order, terms);
        message.setString(OrigClOrdID.FIELD, current.toString());
        return message;
    }

    private Message order(String type, VenueClientOrderId id, OrderRequest order, OrderTerms terms) {
        Message message = timed(FixMessages.of(type));
        message.setString(ClOrdID.FIELD, id.toString());
        message.setString(Account.FIELD, account.accountId());
        message.setChar(HandlInst.FIELD, HandlInst.AUTOMATED_EXECUTION_ORDER_PRIVATE_NO_BROKER_INTERVENTION);
        message.setString(Symbol.FIELD, order.symbol());
        message.setChar(quickfix.field.Side.FIELD, side(order.side()));
        message.setChar(OrdType.FIELD, type(order.type()));
        message.setChar(TimeInForce.FIELD, timeInForce(order.timeInForce()));
        message.setString(OrderQty.FIELD, terms.quantity().toString());
        if (terms.limitPrice() != null) {
            message.setString(Price.FIELD, terms.limitPrice().toString());
        }
        if (terms.stopPrice() != null) {
            message.setString(StopPx.FIELD, terms.stopPrice().toString());
        }
        message.setString(BERTH_EPOCH, Long.toString(epoch));
        return message;
    }

    private static Message timed(Message message) {
        message.setUtcTimeStamp(TransactTime.FIELD, LocalDateTime.now(ZoneOffset.UTC), UtcTimestampPrecision.MILLIS);
        return message;
    }

    static char side(Side side) {
        return switch (side) {
            case BUY -> quickfix.field.Side.BUY;
            case SELL -> quickfix.field.Side.SELL;
        };
    }

    private static char type(OrderType type) {
        return switch (type) {
            case MARKET -> OrdType.MARKET;
            case LIMIT -> OrdType.LIMIT;
            case STOP -> OrdType.STOP_STOP_LOSS;
            case STOP_LIMIT -> OrdType.STOP_LIMIT;
        };
    }

    private static char timeInForce(dev.berth.workflows.order.TimeInForce time) {
        return switch (time) {
            case DAY -> TimeInForce.DAY;
            case GTC -> TimeInForce.GOOD_TILL_CANCEL;
            case IOC -> TimeInForce.IMMEDIATE_OR_CANCEL;
            case FOK -> TimeInForce.FILL_OR_KILL;
        };
    }

    Message status(VenueClientOrderId id, String requestId, FixInstrument instrument) {
        Message message = FixMessages.of(MsgType.ORDER_STATUS_REQUEST);
        message.setString(ClOrdID.FIELD, id.toString());
        message.setString(OrdStatusReqID.FIELD, requestId);
        return instrument.in(message);
    }

    /** @param order a report of it */
    Message cancel(Message order, String original, String requestId) {
        Message message = timed(FixMessages.of(MsgType.ORDER_CANCEL_REQUEST));
        message.setString(ClOrdID.FIELD, requestId);
        message.setString(OrigClOrdID.FIELD, original);
        order.getOptionalString(OrderID.FIELD).ifPresent(id -> message.setString(OrderID.FIELD, id));
        order.getOptionalString(OrderQty.FIELD).ifPresent(quantity -> message.setString(OrderQty.FIELD, quantity));
        return FixInstrument.of(order).in(message);
    }

    Message massStatus(String requestId) {
        Message message = FixMessages.of(MsgType.ORDER_MASS_STATUS_REQUEST);
        message.setString(MassStatusReqID.FIELD, requestId);
        message.setInt(MassStatusReqType.FIELD, MassStatusReqType.STATUS_FOR_ALL_ORDERS);
        return message;
    }

    Message massCancel(String requestId) {
        Message message = timed(FixMessages.of(MsgType.ORDER_MASS_CANCEL_REQUEST));
        message.setString(ClOrdID.FIELD, requestId);
        message.setChar(MassCancelRequestType.FIELD, MassCancelRequestType.CANCEL_ALL_ORDERS);
        return message;
    }
}
