package dev.berth.local.venue;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request that the venue says no to, with Alpaca's HTTP status, code and wording. Nothing has
 * changed.
 */
final class Refusal extends RuntimeException {

    private static final int MALFORMED = 40010000;
    private static final int BAD_INPUT = 40010001;
    private static final int NOT_ALLOWED = 40310000;
    private static final int NOT_FOUND = 40410000;
    private static final int NOT_POSSIBLE = 42210000;

    private static final int BROKEN = 50010000;

    private final int httpStatus;
    private final Verdict verdict;
    private final transient Map<String, Object> body;

    private Refusal(int httpStatus, Verdict verdict, Map<String, Object> body) {
        super(String.valueOf(body.get("message")));
        this.httpStatus = httpStatus;
        this.verdict = verdict;
        this.body = body;
    }

    static Refusal unauthorized() {
        return new Refusal(401, Verdict.UNAUTHORIZED, Map.of("message", "unauthorized."));
    }

    static Refusal malformed(String message) {
        return new Refusal(400, Verdict.INVALID, body(MALFORMED, message));
    }

    static Refusal invalid(String message) {
        return of(422, Verdict.INVALID, BAD_INPUT, message);
    }

    static Refusal duplicateClientOrderId() {
        return of(422, Verdict.DUPLICATE, BAD_INPUT, "client_order_id must be unique");
    }

    static Refusal unknownAsset(String symbol) {
        return of(422, Verdict.INVALID, NOT_POSSIBLE, "asset \"" + symbol + "\" not found");
    }

    static Refusal assetNotFound(String symbol) {
        return of(404, Verdict.INVALID, NOT_FOUND, "asset not found for " + symbol);
    }

    static Refusal orderNotFound(String id) {
        return of(404, Verdict.INVALID, NOT_FOUND, "order not found for " + id);
    }

    static Refusal positionNotFound() {
        return of(404, Verdict.INVALID, NOT_FOUND, "position does not exist");
    }

    /** A cancel or a replace that comes too late (or, for a replace, too early). */
    static Refusal wrongState(Order order) {
        String message = "order is already in \"" + Json.word(order.status()) + "\" state";
        return of(422, Verdict.INVALID, NOT_POSSIBLE, message);
    }

    static Refusal insufficientBuyingPower(BigDecimal buyingPower, BigDecimal cost) {
        var body = body(NOT_ALLOWED, "insufficient buying power");
        body.put("buying_power", Json.plain(buyingPower));
        body.put("cost_basis", Json.plain(cost));
        return new Refusal(403, Verdict.REFUSED, body);
    }

    /** The fault of that name. */
    static Refusal refusedByFault() {
        return of(403, Verdict.REFUSED, NOT_ALLOWED, "order refused by the venue");
    }

    /** The fault of that name; Alpaca's own 500 has the same shape. */
    static Refusal serverErrorByFault() {
        return of(500, Verdict.SERVER_ERROR, BROKEN, "internal server error occurred");
    }

    private static Refusal of(int httpStatus, Verdict verdict, int code, String message) {
        return new Refusal(httpStatus, verdict, body(code, message));
    }

    private static Map<String, Object> body(int code, String message) {
        var body = new LinkedHashMap<String, Object>();
        body.put("code", code);
        body.put("message", message);
        return body;
    }

    int httpStatus() {
        return httpStatus;
    }

    Verdict verdict() {
        return verdict;
    }

    Map<String, Object> body() {
        return body;
    }
}
