package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.Json;
import java.io.IOException;
import java.net.http.HttpResponse;

/**
 * An answer to a request of Alpaca's Trading API. Proxies, firewalls and load balancers answer in
 * its place; only an answer in Alpaca's own form says anything about an order or the credentials.
 * {@code docs/adapters.md} has the table.
 *
 * @param body missing when it is no JSON, or the word null; null when it is empty
 */
record AlpacaAnswer(int status, JsonNode body) {
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int UNPROCESSABLE = 422;
    static final int TOO_MANY_REQUESTS = 429;

    /** Alpaca's codes are an HTTP status and four more digits. */
    private static final int LOWEST_CODE = 4000_0000;

    private static final int HIGHEST_CODE = 5999_9999;
    /** From here on the broker failed, and refused nothing. */
    private static final int LOWEST_FAILURE = 5000_0000;

    private static final int UNAUTHORIZED_CODES = 4011;

    /** For a key that it does not know, without a code. */
    private static final String UNKNOWN_KEY = "forbidden.";

    private static final String DUPLICATE = "client_order_id must be unique";
    private static final String NO_ORDER = "order not found";

    /** What an answer says. */
    enum Meaning {
        /** What was asked for happened. */
        DONE,
        /** The request was refused, with a reason. */
        REFUSED,
        /** The venue has an order with this client order id. */
        DUPLICATE,
        /** The venue does not have the order. */
        ABSENT,
        /** The credentials are refused. */
        CREDENTIALS_REFUSED,
        /** The request was not processed: too many came. */
        RATE_LIMITED,
        /** Nothing: what became of the request is unknown. */
        NOTHING
    }

    static AlpacaAnswer of(HttpResponse<String> response) {
        return new AlpacaAnswer(response.statusCode(), json(response.body()));
    }

    private static JsonNode json(String body) {
        if (body.isEmpty()) {
            return NullNode.getInstance();
        }
        try {
            JsonNode json = Json.tree(body);
            return json.isNull() ? MissingNode.getInstance() : json;
        } catch (IllegalArgumentException noJson) {
            return MissingNode.getInstance();
        }
    }

    Meaning meaning() {
        return switch (status) {
            case UNAUTHORIZED ->
                isOwn() && code() / 10_000 == UNAUTHORIZED_CODES ? Meaning.CREDENTIALS_REFUSED : Meaning.NOTHING;
            case FORBIDDEN -> forbidden();
            case BAD_REQUEST, UNPROCESSABLE -> isRefusal() ? refused() : Meaning.NOTHING;
            case NOT_FOUND -> isOwn() && message().startsWith(NO_ORDER) ? Meaning.ABSENT : Meaning.NOTHING;
            case TOO_MANY_REQUESTS -> isOwn() ? Meaning.RATE_LIMITED : Meaning.NOTHING;
            default -> status / 100 == 2 ? Meaning.DONE : Meaning.NOTHING;
        };
    }

    private Meaning forbidden() {
        if (isRefusal()) {
            return Meaning.REFUSED;
        }
        boolean isUnknownKey = body.isObject() && body.size() == 1 && message().equals(UNKNOWN_KEY);
        return isUnknownKey ? Meaning.CREDENTIALS_REFUSED : Meaning.NOTHING;
    }

    private Meaning refused() {
        return message().contains(DUPLICATE) ? Meaning.DUPLICATE : Meaning.REFUSED;
    }

    /** Whether the body is an error of Alpaca's. */
    boolean isOwn() {
        JsonNode code = body.path("code");
        return code.isInt()
                && code.intValue() >= LOWEST_CODE
                && code.intValue() <= HIGHEST_CODE
                && body.path("message").isTextual();
    }

    private boolean isRefusal() {
        return isOwn() && code() < LOWEST_FAILURE;
    }

    int code() {
        return body.path("code").asInt();
    }

    /** The broker's reason; empty when it gave none. */
    String message() {
        return body.path("message").asText();
    }

    /**
     * The JSON of a success.
     *
     * @throws RefusedException when the broker refuses the credentials
     * @throws BrokerSession.OverBudgetException when too many requests came
     * @throws IOException when the answer says nothing, or something else
     */
    JsonNode requireSuccess() throws IOException {
        return switch (meaning()) {
            case DONE -> body;
            case CREDENTIALS_REFUSED -> throw credentialsRefused();
            case RATE_LIMITED -> throw new BrokerSession.OverBudgetException("the broker's rate limit is reached");
            case REFUSED, DUPLICATE, ABSENT, NOTHING -> throw saysNothing();
        };
    }

    /** Does not quote the body: it may contain a credential. */
    IOException saysNothing() {
        return new IOException("the broker answered " + status);
    }

    static RefusedException credentialsRefused() {
        // Logs and the Web UI show this message: it must not contain the key's id.
        return new RefusedException("The broker refused the credentials. Store the right ones.");
    }
}
