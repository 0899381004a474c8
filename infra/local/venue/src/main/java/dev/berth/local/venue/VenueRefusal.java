package dev.berth.local.venue;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A refused request, with Alpaca's HTTP status, code and message. It changed nothing.
 */
final class VenueRefusal extends RuntimeException {

    private static final int MALFORMED = 40010000;
    private static final int BAD_INPUT = 40010001;
    private static final int NOT_ALLOWED = 40310000;
    private static final int NOT_FOUND = 40410000;
    private static final int NOT_POSSIBLE = 42210000;
    private static final int TOO_MANY_REQUESTS = 42910000;

    private static final int BROKEN = 50010000;

    /** What FIX has reject reasons for. */
    enum Kind {
        DUPLICATE_ID,
        UNKNOWN_SYMBOL,
        UNKNOWN_ORDER,
        EXCEEDS_LIMIT,
        WRONG_STATE,
        OTHER
    }

    private final int httpStatus;
    private final SubmissionVerdict verdict;
    private final Kind kind;
    private final transient Map<String, Object> body;

    private VenueRefusal(int httpStatus, SubmissionVerdict verdict, Kind kind, Map<String, Object> body) {
        super(String.valueOf(body.get("message")));
        this.httpStatus = httpStatus;
        this.verdict = verdict;
        this.kind = kind;
        this.body = body;
    }

    private VenueRefusal(int httpStatus, SubmissionVerdict verdict, Map<String, Object> body) {
        this(httpStatus, verdict, Kind.OTHER, body);
    }

    /** Missing, unknown and wrong credentials alike: without a code. */
    static VenueRefusal forbidden() {
        return new VenueRefusal(403, SubmissionVerdict.UNAUTHORIZED, Map.of("message", "forbidden."));
    }

    static VenueRefusal tooManyRequests() {
        return of(429, SubmissionVerdict.RATE_LIMITED, TOO_MANY_REQUESTS, "rate limit exceeded");
    }

    static VenueRefusal clientOrderIdTooLong() {
        return invalid("client_order_id must be no longer than 128 characters");
    }

    static VenueRefusal malformed(String message) {
        return new VenueRefusal(400, SubmissionVerdict.INVALID, body(MALFORMED, message));
    }

    static VenueRefusal invalid(String message) {
        return of(422, SubmissionVerdict.INVALID, BAD_INPUT, message);
    }

    static VenueRefusal duplicateClientOrderId() {
        var body = body(BAD_INPUT, "client_order_id must be unique");
        return new VenueRefusal(422, SubmissionVerdict.DUPLICATE, Kind.DUPLICATE_ID, body);
    }

    static VenueRefusal unknownAsset(String symbol) {
        var body = body(NOT_POSSIBLE, "asset \"" + symbol + "\" not found");
        return new VenueRefusal(422, SubmissionVerdict.INVALID, Kind.UNKNOWN_SYMBOL, body);
    }

    static VenueRefusal assetNotFound(String symbol) {
        return of(404, SubmissionVerdict.INVALID, NOT_FOUND, "asset not found for " + symbol);
    }

    static VenueRefusal orderNotFound(String id) {
        var body = body(NOT_FOUND, "order not found for " + id);
        return new VenueRefusal(404, SubmissionVerdict.INVALID, Kind.UNKNOWN_ORDER, body);
    }

    static VenueRefusal positionNotFound() {
        return of(404, SubmissionVerdict.INVALID, NOT_FOUND, "position does not exist");
    }

    /** A cancel or a replace that is too late (or, for a replace, too early). */
    static VenueRefusal wrongState(VenueOrder order) {
        String message = "order is already in \"" + VenueJson.word(order.status()) + "\" state";
        return new VenueRefusal(422, SubmissionVerdict.INVALID, Kind.WRONG_STATE, body(NOT_POSSIBLE, message));
    }

    static VenueRefusal insufficientBuyingPower(BigDecimal buyingPower, BigDecimal cost) {
        var body = body(NOT_ALLOWED, "insufficient buying power");
        body.put("buying_power", VenueJson.plain(buyingPower));
        body.put("cost_basis", VenueJson.plain(cost));
        return new VenueRefusal(403, SubmissionVerdict.REFUSED, Kind.EXCEEDS_LIMIT, body);
    }

    static VenueRefusal notPossible(String message) {
        return of(422, SubmissionVerdict.INVALID, NOT_POSSIBLE, message);
    }

    /** @param minimum of the base currency */
    static VenueRefusal orderTooSmall(BigDecimal minimum) {
        String message = "order qty must be >= minimal qty of order " + VenueJson.plain(minimum);
        return of(403, SubmissionVerdict.REFUSED, NOT_ALLOWED, message);
    }

    /** @param currency that a crypto order would spend */
    static VenueRefusal insufficientBalance(String currency, BigDecimal requested, BigDecimal available) {
        var body = body(NOT_ALLOWED, "insufficient balance for " + currency + shortage(requested, available));
        body.put("available", VenueJson.plain(available));
        return new VenueRefusal(403, SubmissionVerdict.REFUSED, Kind.EXCEEDS_LIMIT, body);
    }

    private static String shortage(BigDecimal requested, BigDecimal available) {
        return " (requested: " + VenueJson.plain(requested) + ", available: " + VenueJson.plain(available) + ")";
    }

    /** @param held by other orders that close the position */
    static VenueRefusal insufficientQty(BigDecimal requested, VenuePosition position, BigDecimal held) {
        var available = position.available(held);
        var body = body(NOT_ALLOWED, "insufficient qty available for order" + shortage(requested, available));
        body.put("symbol", position.symbol());
        body.put("existing_qty", VenueJson.plain(position.qty().abs()));
        body.put("held_for_orders", VenueJson.plain(held));
        body.put("available", VenueJson.plain(available));
        return new VenueRefusal(403, SubmissionVerdict.REFUSED, Kind.EXCEEDS_LIMIT, body);
    }

    /** The fault of that name. */
    static VenueRefusal refusedByFault() {
        return of(403, SubmissionVerdict.REFUSED, NOT_ALLOWED, "order refused by the venue");
    }

    /** The fault {@code refuse}, in FIX's words. */
    static VenueRefusal busyByFault() {
        return of(403, SubmissionVerdict.REFUSED, NOT_ALLOWED, "busy");
    }

    /** The fault of that name, in the format of Alpaca's 500. */
    static VenueRefusal serverErrorByFault() {
        return of(500, SubmissionVerdict.SERVER_ERROR, BROKEN, "internal server error occurred");
    }

    private static VenueRefusal of(int httpStatus, SubmissionVerdict verdict, int code, String message) {
        return new VenueRefusal(httpStatus, verdict, body(code, message));
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

    SubmissionVerdict verdict() {
        return verdict;
    }

    Kind kind() {
        return kind;
    }

    Map<String, Object> body() {
        return body;
    }
}
