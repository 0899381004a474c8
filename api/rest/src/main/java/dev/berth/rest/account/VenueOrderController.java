package dev.berth.rest.account;

import dev.berth.rest.CallerId;
import dev.berth.rest.CostlyCommand;
import dev.berth.rest.PreferHeader;
import dev.berth.rest.Problem;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.workflows.UserId;
import dev.berth.workflows.account.AccountPolicies;
import dev.berth.workflows.account.CancelVenueOrderOutcome;
import dev.berth.workflows.broker.AccountKey;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Orders of an account by the venue's id. */
@RestController
@RequestMapping("/v1/accounts")
@Tag(name = "accounts")
class VenueOrderController {
    /** Every broker's ids have this form; it is part of a workflow's id. */
    private static final Pattern ID = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,128}");

    private final AccountCalls calls;

    VenueOrderController(AccountCalls calls) {
        this.calls = calls;
    }

    @DeleteMapping(AccountPath.ACCOUNT + "/orders/{venueOrderId}")
    @OperationResponses(
            status = HttpStatus.ACCEPTED,
            problems = {
                Problem.INVALID_ACCOUNT,
                Problem.UNKNOWN_ACCOUNT,
                Problem.ORDER_NOT_FOUND,
                Problem.NOT_CANCELABLE,
                Problem.ACCOUNT_UNAVAILABLE,
                Problem.NOT_SUPPORTED,
                Problem.CREDENTIALS_REFUSED
            })
    @CostlyCommand
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Operation(
            summary = "Cancel an order by the venue's id",
            description = "For an order that was made elsewhere; one of Berth's own is canceled as well, and shows it."
                    + " 202: the venue took the cancel, and the account's orders show the end. May be repeated.")
    void cancel(
            @AuthenticationPrincipal Jwt token,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable @Schema(allowableValues = {"paper", "live"}) String environment,
            @PathVariable String accountId,
            @PathVariable String venueOrderId,
            @RequestHeader("Prefer") Optional<String> prefer) {
        UserId userId = CallerId.of(token);
        AccountKey account = AccountPath.key(broker, market, environment, accountId);
        if (!ID.matcher(venueOrderId).matches()) {
            throw unknown(venueOrderId);
        }
        Duration wait = PreferHeader.timeout(prefer);
        CancelVenueOrderOutcome outcome =
                calls.cancel(userId, account, venueOrderId, wait.isPositive() ? wait : AccountPolicies.DEFAULT_WAIT);
        switch (outcome) {
            case REQUESTED -> {}
            case ABSENT -> throw unknown(venueOrderId);
            case REFUSED ->
                throw Problem.NOT_CANCELABLE.because(
                        "The venue refused the cancel. The order may be over: see the account's open orders.");
        }
    }

    private static Problem.Refusal unknown(String venueOrderId) {
        return Problem.ORDER_NOT_FOUND.because("The account has no order with the venue's id " + venueOrderId + ".");
    }
}
