package dev.berth.rest;

import io.grpc.StatusRuntimeException;
import io.lettuce.core.RedisException;
import io.temporal.client.WorkflowQueryException;
import io.temporal.client.WorkflowServiceException;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
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

/** Turns every exception of a call into a problem document. */
@RestControllerAdvice
public class ProblemAdvice extends ResponseEntityExceptionHandler {
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

    /**
     * The validator of the order's workflow rejected the new terms; its message is for the user.
     */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> rejected(WorkflowUpdateException rejected) {
        String why = rejected.getCause() instanceof ApplicationFailure failure
                ? failure.getOriginalMessage()
                : rejected.getMessage();
        return answer(Problem.INVALID_ORDER, String.valueOf(why));
    }

    @ExceptionHandler({
        RedisException.class,
        DataAccessException.class,
        TransactionException.class,
        StatusRuntimeException.class,
        WorkflowServiceException.class,
        // The workflow task fails or times out, for example while the orchestrator is frozen.
        WorkflowQueryException.class
    })
    public ResponseEntity<ProblemDetail> unavailable(Exception unavailable) {
        LOG.warn("a call was refused, a server does not answer", unavailable);
        return refused(Problem.UNAVAILABLE.because(
                "Try again in a few seconds; nothing was lost and nothing was sent twice."));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unexpected(Exception unexpected) {
        LOG.error("a call failed", unexpected);
        return answer(Problem.INTERNAL, "Try again; if it persists, tell the operators the traceId of this answer.");
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        ProblemDetail problem = RequestBodyErrors.refusal(unreadable.getCause()).detail();
        return handleExceptionInternal(
                unreadable, problem, headers, HttpStatusCode.valueOf(problem.getStatus()), request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException mismatch, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (mismatch.getRequiredType() != Instant.class) {
            return super.handleTypeMismatch(mismatch, headers, status, request);
        }
        ProblemDetail problem =
                Problem.INVALID_REQUEST.detail(mismatch.getPropertyName() + " is " + RequestTime.FORM + ".");
        return handleExceptionInternal(mismatch, problem, headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleNoResourceFoundException(
            NoResourceFoundException missing, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ProblemDetail problem = Problem.NOT_FOUND.detail("See /swagger-ui.html for all calls.");
        return handleExceptionInternal(missing, problem, headers, status, request);
    }

    /** Gives problems of Spring itself, such as limit=ten, a stable type too. */
    @Override
    protected ResponseEntity<Object> createResponseEntity(
            @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (body instanceof ProblemDetail problem && problem.getType() == null) {
            Problem.ofStatus(status.value()).name(problem);
        }
        return super.createResponseEntity(body, headers, status, request);
    }

    private static ResponseEntity<ProblemDetail> answer(Problem problem, String whatToDo) {
        return ResponseEntity.status(problem.status()).body(problem.detail(whatToDo));
    }
}
