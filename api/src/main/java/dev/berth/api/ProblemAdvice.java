package dev.berth.api;

import io.grpc.StatusRuntimeException;
import io.lettuce.core.RedisException;
import io.temporal.client.WorkflowQueryException;
import io.temporal.client.WorkflowServiceException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Turns whatever ends a call into its problem document. */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);

    @ExceptionHandler
    ResponseEntity<ProblemDetail> refused(Problem.Refusal refusal) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(refusal.status());
        refusal.retryAfterSeconds()
                .ifPresent(seconds -> answer.header(HttpHeaders.RETRY_AFTER, Long.toString(seconds)));
        return answer.body(refusal.detail());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> invalid(IllegalArgumentException invalid) {
        return answer(Problem.INVALID_REQUEST, String.valueOf(invalid.getMessage()));
    }

    @ExceptionHandler({
        RedisException.class,
        DataAccessException.class,
        TransactionException.class,
        StatusRuntimeException.class,
        WorkflowServiceException.class,
        // Its workflow task keeps failing, such as while the orchestrator stands still.
        WorkflowQueryException.class
    })
    ResponseEntity<ProblemDetail> unavailable(Exception away) {
        LOG.warn("a call was refused, a server is away", away);
        return answer(Problem.UNAVAILABLE, "Try again in a few seconds; nothing was lost and nothing was sent twice.");
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unexpected(Exception unexpected) {
        LOG.error("a call failed", unexpected);
        return answer(Problem.INTERNAL, "Try again; if it persists, tell the operators the time of this answer.");
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        ProblemDetail problem = Problem.MALFORMED_JSON.detail(BodyInWords.of(unreadable.getCause()));
        return handleExceptionInternal(unreadable, problem, headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleNoResourceFoundException(
            NoResourceFoundException missing, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ProblemDetail problem = Problem.NOT_FOUND.detail("See /swagger-ui.html for the calls that there are.");
        return handleExceptionInternal(missing, problem, headers, status, request);
    }

    /** What Spring refuses by itself, such as limit=ten, gets a stable type as well. */
    @Override
    protected ResponseEntity<Object> createResponseEntity(
            @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (body instanceof ProblemDetail problem && problem.getType() == null) {
            Problem kind = switch (status.value()) {
                case 405 -> Problem.METHOD_NOT_ALLOWED;
                case 415 -> Problem.UNSUPPORTED_MEDIA_TYPE;
                default -> status.is4xxClientError() ? Problem.INVALID_REQUEST : Problem.INTERNAL;
            };
            kind.name(problem);
        }
        return super.createResponseEntity(body, headers, status, request);
    }

    private static ResponseEntity<ProblemDetail> answer(Problem problem, String whatToDo) {
        return ResponseEntity.status(problem.status()).body(problem.detail(whatToDo));
    }
}
