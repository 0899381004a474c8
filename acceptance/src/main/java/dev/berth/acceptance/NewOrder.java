package dev.berth.acceptance;

import java.time.Duration;

/** A submission's body. */
public record NewOrder(
        String id, String symbol, String side, String quantity, String limitPrice, String dispatchWithin) {

    public static NewOrder market(String id, String symbol, String side, String quantity) {
        return new NewOrder(id, symbol, side, quantity, "", "");
    }

    public static NewOrder limit(String id, String symbol, String side, String quantity, String limitPrice) {
        return new NewOrder(id, symbol, side, quantity, limitPrice, "");
    }

    /** The same, sent within this time or not at all. */
    public NewOrder within(Duration time) {
        return new NewOrder(id, symbol, side, quantity, limitPrice, time.toString());
    }

    /** What is sent. */
    public String json() {
        String type = limitPrice.isEmpty() ? "\"market\"" : "\"limit\",\"limitPrice\":\"" + limitPrice + "\"";
        String within = dispatchWithin.isEmpty() ? "" : "\"dispatchWithin\":\"" + dispatchWithin + "\",";
        return """
                {"clientOrderId":"%s","account":%s,"symbol":"%s","side":"%s","quantity":"%s",
                 "timeInForce":"day",%s"type":%s}""".formatted(id, Trader.ACCOUNT, symbol, side, quantity, within, type);
    }
}
