package dev.berth.acceptance.rest;

import java.time.Duration;

/** The body of a submission. */
public record OrderBody(
        String id,
        String symbol,
        String side,
        String quantity,
        String limitPrice,
        String dispatchWithin,
        LocalAccount account) {

    public static OrderBody market(String id, String symbol, String side, String quantity) {
        return new OrderBody(id, symbol, side, quantity, "", "", LocalAccount.ALPACA);
    }

    public static OrderBody limit(String id, String symbol, String side, String quantity, String limitPrice) {
        return new OrderBody(id, symbol, side, quantity, limitPrice, "", LocalAccount.ALPACA);
    }

    /** The same order with this dispatch deadline. */
    public OrderBody within(Duration time) {
        return new OrderBody(id, symbol, side, quantity, limitPrice, time.toString(), account);
    }

    /** The same order with this account. */
    public OrderBody with(LocalAccount other) {
        return new OrderBody(id, symbol, side, quantity, limitPrice, dispatchWithin, other);
    }

    public String json() {
        String type = limitPrice.isEmpty() ? "\"market\"" : "\"limit\",\"limitPrice\":\"" + limitPrice + "\"";
        String within = dispatchWithin.isEmpty() ? "" : "\"dispatchWithin\":\"" + dispatchWithin + "\",";
        return """
                {"clientOrderId":"%s","account":%s,"symbol":"%s","side":"%s","quantity":"%s",
                 "timeInForce":"day",%s"type":%s}""".formatted(id, account.json(), symbol, side, quantity, within, type);
    }
}
