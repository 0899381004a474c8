package dev.berth.rest.account;

import dev.berth.process.settings.BerthSettings;
import dev.berth.rest.CallerId;
import dev.berth.rest.CostlyCommand;
import dev.berth.rest.PreferHeader;
import dev.berth.rest.Problem;
import dev.berth.rest.Scope;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.rest.broker.Brokers;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.rest.order.CloseOrders;
import dev.berth.rest.tracing.RequestTrace;
import dev.berth.temporal.client.CloseWorkflowClient;
import dev.berth.workflows.TraceContext;
import dev.berth.workflows.UserId;
import dev.berth.workflows.account.AccountPolicies;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.AccountRead;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.position.CloseReport;
import dev.berth.workflows.position.CloseRequest;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.temporal.client.WorkflowFailedException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Closes positions of a user's own account. */
@RestController
@RequestMapping("/v1/accounts")
@Tag(name = "accounts")
class PositionCloseController {
    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

    private final CloseWorkflowClient closes;
    private final CloseOrders orders;
    private final AccountChoice choice;
    private final RequestAudit audit;
    private final boolean live;

    PositionCloseController(
            CloseWorkflowClient closes,
            CloseOrders orders,
            AccountChoice choice,
            RequestAudit audit,
            BerthSettings settings) {
        this.closes = closes;
        this.orders = orders;
        this.choice = choice;
        this.audit = audit;
        this.live = settings.orders().live();
    }

    @PostMapping(AccountPath.ACCOUNT + "/positions:close")
    @OperationResponses(
            status = {HttpStatus.OK, HttpStatus.ACCEPTED},
            problems = {
                Problem.INVALID_ACCOUNT,
                Problem.UNKNOWN_ACCOUNT,
                Problem.INVALID_ORDER,
                Problem.LIVE_NOT_ENABLED,
                Problem.IDEMPOTENCY_KEY_REUSED,
                Problem.ACCOUNT_UNAVAILABLE,
                Problem.REQUEST_BUDGET,
                Problem.NOT_SUPPORTED,
                Problem.CREDENTIALS_REFUSED
            })
    @CostlyCommand
    @Operation(
            summary = "Close positions at market",
            description = "All of the account's, or that of one symbol. Cancels the exits that hold a position, and"
                    + " orders what no other order in flight closes; each order passes every check of orders. A kill"
                    + " switch refuses it, unless the token has the scope risk:write, too. items has for each position"
                    + " the order, the problem or the reason. The same Idempotency-Key has the same result for 30"
                    + " days. 202, with no item: it takes longer than 20 s, or than Prefer: wait=N says; repeat the"
                    + " call.")
    ResponseEntity<CloseView> close(
            @AuthenticationPrincipal Jwt token,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable @Schema(allowableValues = {"paper", "live"}) String environment,
            @PathVariable String accountId,
            @RequestHeader("Idempotency-Key") @Parameter(required = true, schema = @Schema(pattern = "^[!-~]{1,255}$"))
                    Optional<String> key,
            @RequestHeader("Prefer") Optional<String> prefer,
            @RequestAttribute(RequestTrace.CURRENT) TraceContext trace,
            @RequestBody NewClose body) {
        UserId userId = CallerId.of(token);
        AccountKey account = AccountPath.key(broker, market, environment, accountId);
        boolean passes = Scope.granted(token).contains(Scope.RISK_WRITE);
        CloseRequest request = new CloseRequest(userId, account, symbol(body), key(key), passes, trace);
        Duration wait = PreferHeader.timeout(prefer);
        requireOpen(account);
        choice.of(userId, account);
        Brokers.requireRead(account, AccountRead.POSITIONS);
        if (passes) {
            audit.command(token, AuditAction.CLOSE_POSITIONS, userId, account + symbolOf(request));
        }
        if (!closes.start(request)) {
            throw Problem.IDEMPOTENCY_KEY_REUSED.because(
                    "The Idempotency-Key was used for another body. Use a new one, or repeat that request as it was.");
        }
        return answer(request, wait.isPositive() ? wait : AccountPolicies.DEFAULT_WAIT);
    }

    private ResponseEntity<CloseView> answer(CloseRequest request, Duration within) {
        try {
            Optional<CloseReport> report = closes.await(request, within);
            return report.map(known -> ResponseEntity.ok(CloseView.of(request.userId(), known, orders)))
                    .orElseGet(() -> ResponseEntity.accepted().body(CloseView.UNFINISHED));
        } catch (WorkflowFailedException failed) {
            throw AccountCalls.refusal(failed, within);
        }
    }

    private void requireOpen(AccountKey account) {
        if (account.environment() == Environment.LIVE && !live) {
            throw Problem.LIVE_NOT_ENABLED.because(
                    "Use an account with environment paper, or ask for berth.orders.live to be enabled.");
        }
    }

    private static String key(Optional<String> given) {
        return given.filter(key -> KEY.matcher(key).matches())
                .orElseThrow(() -> Problem.INVALID_REQUEST.because(
                        "Send the header Idempotency-Key: 1 to 255 characters of ASCII without spaces. The same key"
                                + " closes once."));
    }

    private static @Nullable String symbol(NewClose body) {
        try {
            return body.symbol() == null ? null : CloseOrders.wellFormed(body.symbol());
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_ORDER.because(String.valueOf(invalid.getMessage()));
        }
    }

    private static String symbolOf(CloseRequest request) {
        return request.symbol() == null ? "" : " " + request.symbol();
    }
}
