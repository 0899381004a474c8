package dev.berth.rest;

import dev.berth.workflows.TraceContext;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.MDC;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/** Every reason to refuse a call. The type is stable; the detail says what to do. */
public enum Problem {
    MALFORMED_JSON(HttpStatus.BAD_REQUEST, "The body is not the JSON that this call takes"),
    INVALID_ORDER(HttpStatus.UNPROCESSABLE_CONTENT, "The order is not valid"),
    INVALID_BATCH(HttpStatus.UNPROCESSABLE_CONTENT, "The batch is not valid"),
    BATCH_REFUSED(HttpStatus.UNPROCESSABLE_CONTENT, "An order of the batch is refused, so none was accepted"),
    UNKNOWN_SYMBOL(HttpStatus.UNPROCESSABLE_CONTENT, "The symbol is not traded here"),
    UNKNOWN_ACCOUNT(HttpStatus.UNPROCESSABLE_CONTENT, "The account does not exist"),
    INVALID_ACCOUNT(HttpStatus.UNPROCESSABLE_CONTENT, "The account is not valid"),
    UNSUPPORTED_BROKER(HttpStatus.UNPROCESSABLE_CONTENT, "The broker is not served here"),
    CREDENTIALS_REFUSED(HttpStatus.UNPROCESSABLE_CONTENT, "The broker refuses the account's credentials"),
    LIVE_NOT_ENABLED(HttpStatus.UNPROCESSABLE_CONTENT, "Live accounts are switched off"),
    ACCOUNT_NOT_READ(HttpStatus.NOT_FOUND, "The account was not read yet"),
    ACCOUNT_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The account cannot be asked now"),
    REQUEST_BUDGET(HttpStatus.TOO_MANY_REQUESTS, "The broker's request limit has nothing left for this"),
    NOT_SUPPORTED(HttpStatus.UNPROCESSABLE_CONTENT, "The account's broker cannot do this"),
    NOT_CANCELABLE(HttpStatus.CONFLICT, "The venue refused the cancel"),
    INVALID_REQUEST(HttpStatus.BAD_REQUEST, "The request is not valid"),
    UNAUTHENTICATED(HttpStatus.UNAUTHORIZED, "A valid bearer token is needed"),
    FORBIDDEN(HttpStatus.FORBIDDEN, "The token does not allow this"),
    ORDER_NOT_FOUND(HttpStatus.NOT_FOUND, "The order does not exist"),
    NOT_FOUND(HttpStatus.NOT_FOUND, "The resource does not exist"),
    DUPLICATE_CLIENT_ORDER_ID(HttpStatus.CONFLICT, "The client order id belongs to another order"),
    IDEMPOTENCY_KEY_REUSED(HttpStatus.CONFLICT, "The idempotency key belongs to another request"),
    ORDER_ARCHIVED(HttpStatus.GONE, "The order was closed long ago and is in the archive"),
    TOO_MANY_STREAMS(HttpStatus.TOO_MANY_REQUESTS, "The user has too many event streams open"),
    UPGRADE_REQUIRED(HttpStatus.UPGRADE_REQUIRED, "The path is a WebSocket"),
    STREAMS_EXHAUSTED(HttpStatus.SERVICE_UNAVAILABLE, "The process has too many event streams open"),
    REQUEST_RATE(HttpStatus.TOO_MANY_REQUESTS, "The user sends too many requests"),
    BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is too large"),
    INVALID_WEBHOOK(HttpStatus.UNPROCESSABLE_CONTENT, "The webhook is not valid"),
    NOT_UNRESOLVED(HttpStatus.CONFLICT, "The order waits for no person's word"),
    INVALID_REQUEUE(HttpStatus.UNPROCESSABLE_CONTENT, "The requeue is not valid"),
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "The path does not support this method"),
    NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "The call does not support this answer format"),
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The call does not support this body format"),
    KILL_SWITCH(HttpStatus.FORBIDDEN, "A kill switch is on"),
    RISK_LIMIT(HttpStatus.UNPROCESSABLE_CONTENT, "The order exceeds a limit of its account"),
    ORDER_RATE(HttpStatus.TOO_MANY_REQUESTS, "The account exceeds its order rate"),
    TOO_MANY_ORDERS(HttpStatus.TOO_MANY_REQUESTS, "Too many orders wait for the venue's first answer"),
    TOO_MANY_CANCELS(HttpStatus.TOO_MANY_REQUESTS, "Too many cancels with different filters are in effect"),
    RELOAD_NOT_SENT(HttpStatus.SERVICE_UNAVAILABLE, "The change is stored, but the worker was not signalled"),
    UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "A required server does not answer"),
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "Something went wrong");

    /** A member of the document: the header Retry-After, in seconds. */
    private static final String RETRY_AFTER = "retryAfter";

    private final HttpStatus status;
    private final String title;

    Problem(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    /** The problem whose type ends with this word. */
    public static Problem named(String word) {
        return valueOf(word.replace('-', '_').toUpperCase(Locale.ROOT));
    }

    /** The last part of the type. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The problem for a bare status from Spring or Tomcat. */
    static Problem ofStatus(int status) {
        return switch (status) {
            case 401 -> UNAUTHENTICATED;
            case 403 -> FORBIDDEN;
            case 404 -> NOT_FOUND;
            case 405 -> METHOD_NOT_ALLOWED;
            case 406 -> NOT_ACCEPTABLE;
            case 413 -> BODY_TOO_LARGE;
            case 415 -> UNSUPPORTED_MEDIA_TYPE;
            case 503 -> UNAVAILABLE;
            default -> status < 500 ? INVALID_REQUEST : INTERNAL;
        };
    }

    /** The problem document (RFC 9457). */
    public ProblemDetail detail(String whatToDo) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, whatToDo);
        name(problem);
        return problem;
    }

    /** Sets type, title and the request's trace. */
    void name(ProblemDetail problem) {
        problem.setType(URI.create(type()));
        problem.setTitle(title);
        String trace = MDC.get(TraceContext.LOG_FIELD);
        if (trace != null) {
            problem.setProperty(TraceContext.LOG_FIELD, trace);
        }
    }

    /** Stable, so that clients can distinguish problems. */
    public String type() {
        return "urn:berth:problem:" + word();
    }

    public String title() {
        return title;
    }

    public Refusal because(String whatToDo) {
        return new Refusal(this, whatToDo);
    }

    public HttpStatus status() {
        return status;
    }

    /** Ends a call with a problem. Has no stack trace, since thousands a second must be cheap. */
    public static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;
        /** Of a server that does not answer: most restart within it, or take longer by far. */
        private static final long UNAVAILABLE_SECONDS = 2;

        private final Problem problem;
        private final String whatToDo;
        private final long retryAfterSeconds;
        private final transient Map<String, Object> properties;

        Refusal(Problem problem, String whatToDo) {
            this(
                    problem,
                    whatToDo,
                    problem.status == HttpStatus.SERVICE_UNAVAILABLE ? UNAVAILABLE_SECONDS : 0,
                    Map.of());
        }

        private Refusal(Problem problem, String whatToDo, long retryAfterSeconds, Map<String, Object> properties) {
            super(whatToDo, null, false, false);
            this.problem = problem;
            this.whatToDo = whatToDo;
            this.retryAfterSeconds = retryAfterSeconds;
            this.properties = properties;
        }

        /** The refusal among the causes of an exception. */
        public static Optional<Refusal> in(Throwable failure) {
            return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                    .filter(Refusal.class::isInstance)
                    .map(Refusal.class::cast)
                    .findFirst();
        }

        /** This refusal with the header Retry-After; 0 for none. */
        public Refusal after(long seconds) {
            return new Refusal(problem, whatToDo, seconds, properties);
        }

        /** This refusal with one more member of its document (RFC 9457, 3.2). */
        public Refusal with(String name, Object value) {
            return new Refusal(problem, whatToDo, retryAfterSeconds, Map.of(name, value));
        }

        /** Whole seconds; empty when a retry does not help, or the time is unknown. */
        public Optional<Long> retryAfterSeconds() {
            return retryAfterSeconds > 0 ? Optional.of(retryAfterSeconds) : Optional.empty();
        }

        public ProblemDetail detail() {
            ProblemDetail detail = problem.detail(whatToDo);
            properties.forEach(detail::setProperty);
            // For a problem that is a part of an answer, and has no header.
            retryAfterSeconds().ifPresent(seconds -> detail.setProperty(RETRY_AFTER, seconds));
            return detail;
        }

        public Problem problem() {
            return problem;
        }

        public HttpStatus status() {
            return problem.status();
        }
    }
}
