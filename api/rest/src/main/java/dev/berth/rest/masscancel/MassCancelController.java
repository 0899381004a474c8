package dev.berth.rest.masscancel;

import dev.berth.rest.CallerId;
import dev.berth.rest.CostlyCommand;
import dev.berth.rest.PreferHeader;
import dev.berth.rest.Problem;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.workflows.masscancel.MassCancelPolicies;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Everything of a user in one call. */
@RestController
@Tag(name = "orders")
class MassCancelController {
    private final MassCancels cancels;

    MassCancelController(MassCancels cancels) {
        this.cancels = cancels;
    }

    @PostMapping("/v1/orders:cancel")
    @CostlyCommand
    @OperationResponses(
            status = {HttpStatus.OK, HttpStatus.ACCEPTED},
            problems = {
                Problem.UNKNOWN_ACCOUNT,
                Problem.INVALID_ACCOUNT,
                Problem.IDEMPOTENCY_KEY_REUSED,
                Problem.TOO_MANY_CANCELS
            })
    @Operation(
            summary = "Cancel everything that matches",
            description = "Orders that were accepted before the call and not sent yet are not sent any more, and end"
                    + " CANCELED; those whose outcome is unknown are canceled when they are found; those at the"
                    + " venue, made here or elsewhere, are canceled there. Later orders pass. Absent fields match"
                    + " everything. 200 with the outcome of each order; 202 when some are not over after 10 s, or"
                    + " after Prefer: wait=N: the call goes on, and repeated with the answer's id as"
                    + " Idempotency-Key it says how far it is.")
    ResponseEntity<MassCancelView> cancel(
            @AuthenticationPrincipal Jwt token,
            @RequestHeader("Idempotency-Key") Optional<String> idempotencyKey,
            @RequestHeader("Prefer") Optional<String> prefer,
            @RequestBody NewMassCancel body) {
        Duration given = PreferHeader.timeout(prefer);
        Duration within = given.isPositive() ? given : MassCancelPolicies.DEFAULT_WAIT;
        MassCancelView view = cancels.cancel(CallerId.of(token), body, idempotencyKey, within);
        return ResponseEntity.status(view.complete() ? HttpStatus.OK : HttpStatus.ACCEPTED)
                .body(view);
    }
}
