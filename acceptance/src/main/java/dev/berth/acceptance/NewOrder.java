package dev.berth.acceptance;

/** A submission's body. */
public record NewOrder(String id, String symbol, String side, String quantity, String limitPrice) {

    public static NewOrder market(String id, String symbol, String side, String quantity) {
        return new NewOrder(id, symbol, side, quantity, "");
    }

    public static NewOrder limit(String id, String symbol, String side, String quantity, String limitPrice) {
        return new NewOrder(id, symbol, side, quantity, limitPrice);
    }

    /** What is sent. */
    public String json() {
        String type = limitPrice.isEmpty() ? "\"market\"" : "\"limit\",\"limitPrice\":\"" + limitPrice + "\"";
        return """
                {"clientOrderId":"%s","account":%s,"symbol":"%s","side":"%s","quantity":"%s",
                 "timeInForce":"day","type":%s}""".formatted(id, Trader.ACCOUNT, symbol, side, quantity, type);
    }
}
