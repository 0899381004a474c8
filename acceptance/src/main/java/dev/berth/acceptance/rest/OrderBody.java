package dev.berth.acceptance.rest;

import java.time.Duration;

/** The body of a submission. */
public record OrderBody(
        String id, String symbol, String side, String quantity, String limitPrice, String dispatchWithin) {

    public static OrderBody market(String id, String symbol, String side, String quantity) {
        return new OrderBody(id, symbol, side, quantity, "", "");
    }

    public static OrderBody limit(String id, String symbol, String side, String quantity, String limitPrice) {
        return new OrderBody(id, symbol, side, quantity, limitPrice, "");
    }

    /** The same order with this dispatch deadline. */
    public OrderBody within(Duration time) {
        return new OrderBody(id, symbol, side, quantity, limitPrice, time.toString());
    }

    public String json() {
        String type = limitPrice.isEmpty() ? "\"market\"" : "\"limit\",\"limitPrice\":\"" + limitPrice + "\"";
        String within = dispatchWithin.isEmpty() ? "" : "\"dispatchWithin\":\"" + dispatchWithin + "\",";
        return """
                {"clientOrderId":"%s","account":%s,"symbol":"%s","side":"%s","quantity":"%s",
                 "timeInForce":"day",%s"type":%s}""".formatted(id, Trader.ACCOUNT, symbol, side, quantity, within, type);
    }
}
