package dev.berth.api;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/** Every way in which a call is refused. The type is stable; the sentence says what to do. */
public enum Problem {
    MALFORMED_JSON(HttpStatus.BAD_REQUEST, "The body is not the JSON that this call takes"),
    INVALID_ORDER(HttpStatus.UNPROCESSABLE_CONTENT, "The order can not be accepted as it is"),
    UNKNOWN_SYMBOL(HttpStatus.UNPROCESSABLE_CONTENT, "The symbol is not traded here"),
    UNKNOWN_ACCOUNT(HttpStatus.UNPROCESSABLE_CONTENT, "There is no such account"),
    INVALID_ACCOUNT(HttpStatus.UNPROCESSABLE_CONTENT, "The account can not be stored as it is"),
    UNSUPPORTED_BROKER(HttpStatus.UNPROCESSABLE_CONTENT, "The broker is not served here"),
    LIVE_NOT_ENABLED(HttpStatus.UNPROCESSABLE_CONTENT, "Live accounts are switched off"),
    INVALID_REQUEST(HttpStatus.BAD_REQUEST, "The request can not be understood"),
    UNAUTHENTICATED(HttpStatus.UNAUTHORIZED, "A valid bearer token is needed"),
    FORBIDDEN(HttpStatus.FORBIDDEN, "The token does not allow this"),
    ORDER_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such order"),
    NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such resource"),
    DUPLICATE_CLIENT_ORDER_ID(HttpStatus.CONFLICT, "The client order id belongs to another order"),
    TOO_MANY_STREAMS(HttpStatus.TOO_MANY_REQUESTS, "There are enough event streams of this user"),
    INVALID_REQUEUE(HttpStatus.UNPROCESSABLE_CONTENT, "The requeue does not say what it is to do"),
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "The path does not take this method"),
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The body has a form that is not taken"),
    KILL_SWITCH(HttpStatus.FORBIDDEN, "A kill switch is on"),
    RISK_LIMIT(HttpStatus.UNPROCESSABLE_CONTENT, "The order is more than its account may"),
    ORDER_RATE(HttpStatus.TOO_MANY_REQUESTS, "More orders a second than the account may"),
    TOO_MANY_ORDERS(HttpStatus.TOO_MANY_REQUESTS, "Too many orders wait for their first answer"),
    RELOAD_NOT_SENT(HttpStatus.SERVICE_UNAVAILABLE, "The change is stored, but a running worker was not told"),
    UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "A server that is needed does not answer"),
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "Something went wrong");

    private final HttpStatus status;
    private final String title;

    Problem(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    /** The problem document (RFC 9457). */
    public ProblemDetail detail(String whatToDo) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, whatToDo);
        name(problem);
        return problem;
    }

    /** Gives a document that came without a name this one. */
    void name(ProblemDetail problem) {
        problem.setType(URI.create(
                "urn:berth:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-')));
        problem.setTitle(title);
    }

    public Refusal because(String whatToDo) {
        return new Refusal(this, whatToDo);
    }

    public HttpStatus status() {
        return status;
    }

    /** Ends a call with this problem. It is an answer, so it has no stack trace: thousands a second must cost little. */
    public static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Problem problem;
        private final String whatToDo;

        private final long retryAfterSeconds;

        Refusal(Problem problem, String whatToDo) {
            this(problem, whatToDo, 0);
        }

        private Refusal(Problem problem, String whatToDo, long retryAfterSeconds) {
            super(whatToDo, null, false, false);
            this.problem = problem;
            this.whatToDo = whatToDo;
            this.retryAfterSeconds = retryAfterSeconds;
        }

        /** The same, with the header Retry-After. */
        public Refusal after(long seconds) {
            return new Refusal(problem, whatToDo, seconds);
        }

        /** Whole seconds; absent when trying again later does not help, or nobody knows when. */
        public Optional<Long> retryAfterSeconds() {
            return retryAfterSeconds > 0 ? Optional.of(retryAfterSeconds) : Optional.empty();
        }

        public ProblemDetail detail() {
            return problem.detail(whatToDo);
        }

        public HttpStatus status() {
            return problem.status();
        }
    }
}
