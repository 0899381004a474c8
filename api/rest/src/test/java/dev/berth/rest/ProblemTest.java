package dev.berth.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisException;
import java.net.URI;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

class ProblemTest {
    private final ProblemAdvice advice = new ProblemAdvice();

    @Test
    void typesAndStatusesAreStable() {
        String all = Arrays.stream(Problem.values())
                .map(problem -> problem.status().value() + " "
                        + String.valueOf(problem.detail("").getType()).replace("urn:berth:problem:", ""))
                .collect(Collectors.joining("\n"));
        assertThat(all).isEqualTo("""
                400 malformed-json
                422 invalid-order
                422 invalid-batch
                422 batch-refused
                422 unknown-symbol
                422 unknown-account
                422 invalid-account
                422 unsupported-broker
                422 credentials-refused
                422 live-not-enabled
                404 account-not-read
                503 account-unavailable
                429 request-budget
                422 not-supported
                409 not-cancelable
                400 invalid-request
                401 unauthenticated
                403 forbidden
                404 order-not-found
                404 not-found
                409 duplicate-client-order-id
                409 idempotency-key-reused
                410 order-archived
                429 too-many-streams
                426 upgrade-required
                503 streams-exhausted
                429 request-rate
                413 body-too-large
                422 invalid-webhook
                409 not-unresolved
                422 invalid-requeue
                405 method-not-allowed
                406 not-acceptable
                415 unsupported-media-type
                403 kill-switch
                422 risk-limit
                429 order-rate
                429 too-many-orders
                429 too-many-cancels
                503 reload-not-sent
                503 unavailable
                500 internal""");
    }

    @Test
    void refusalSaysWhatToDo() {
        ResponseEntity<ProblemDetail> answer = advice.refused(Problem.UNKNOWN_SYMBOL.because("Name another."));
        ProblemDetail problem = body(answer);
        assertThat(answer.getStatusCode().value()).isEqualTo(422);
        assertThat(problem.getType()).isEqualTo(URI.create("urn:berth:problem:unknown-symbol"));
        assertThat(problem.getStatus()).isEqualTo(422);
        assertThat(problem.getTitle()).isEqualTo("The symbol is not traded here");
        assertThat(problem.getDetail()).isEqualTo("Name another.");
    }

    @Test
    void refusalMayHaveRetryAfter() {
        Problem.Refusal full = Problem.TOO_MANY_ORDERS.because("Wait.");
        assertThat(advice.refused(full).getHeaders().getFirst("Retry-After")).isNull();
        assertThat(advice.refused(full.after(7)).getHeaders().getFirst("Retry-After"))
                .isEqualTo("7");
        assertThat(body(advice.refused(full.after(7))).getProperties()).containsEntry("retryAfter", 7L);
        assertThat(advice.unavailable(new RedisException("away")).getHeaders().getFirst("Retry-After"))
                .isEqualTo("2");
    }

    @Test
    void unreachableServerDiffersFromFault() {
        assertThat(advice.unavailable(new RedisException("away"))
                        .getStatusCode()
                        .value())
                .isEqualTo(503);
        ResponseEntity<ProblemDetail> fault = advice.unexpected(new IllegalStateException("with a secret"));
        assertThat(fault.getStatusCode().value()).isEqualTo(500);
        assertThat(body(fault).getDetail()).doesNotContain("secret");
    }

    @Test
    void invalidIdIsClientError() {
        ProblemDetail problem = body(advice.invalid(new IllegalArgumentException("An id is short.")));
        assertThat(problem.getStatus()).isEqualTo(400);
        assertThat(problem.getDetail()).isEqualTo("An id is short.");
    }

    private static ProblemDetail body(ResponseEntity<ProblemDetail> answer) {
        return Objects.requireNonNull(answer.getBody());
    }
}
