package dev.berth.rest.account;

import dev.berth.activities.broker.AccountStore;
import dev.berth.activities.broker.CredentialEnvelope;
import dev.berth.activities.broker.StoredCredentials;
import dev.berth.process.settings.BerthSettings;
import dev.berth.rest.CallerId;
import dev.berth.rest.CostlyCommand;
import dev.berth.rest.Problem;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.rest.broker.Brokers;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A user's own accounts. The change is stored first, then the worker lifecycle is signalled. */
@RestController
@RequestMapping("/v1/accounts")
@Tag(name = "accounts")
class AccountController {
    private static final Logger LOG = LoggerFactory.getLogger(AccountController.class);

    private final StoredCredentials credentials;
    private final AccountStore accounts;
    private final WorkerReload reload;
    private final BerthSettings.Orders orders;
    private final RequestAudit audit;

    AccountController(
            StoredCredentials credentials,
            AccountStore accounts,
            WorkerReload reload,
            BerthSettings settings,
            RequestAudit audit) {
        this.credentials = credentials;
        this.accounts = accounts;
        this.reload = reload;
        this.orders = settings.orders();
        this.audit = audit;
    }

    @GetMapping
    @Operation(
            summary = "My accounts",
            description = "Accounts with credentials, paper before live. The secret is never shown.")
    AccountView.Accounts list(@AuthenticationPrincipal Jwt token) {
        return new AccountView.Accounts(
                accounts.list(CallerId.of(token)).stream().map(AccountView::of).toList());
    }

    @PutMapping(AccountPath.ACCOUNT + "/credentials")
    @OperationResponses(
            problems = {
                Problem.INVALID_ACCOUNT,
                Problem.UNSUPPORTED_BROKER,
                Problem.LIVE_NOT_ENABLED,
                Problem.RELOAD_NOT_SENT
            })
    @CostlyCommand
    @Operation(
            summary = "Store an account's credentials",
            description = "200 with the account, also when it is new. GET /v1/brokers has the fields of each broker, as"
                    + " JSON schema. Replaces earlier credentials; they cannot be read again. A running worker loads them without a restart. 503 reload-not-sent: stored, but"
                    + " a running worker was not signalled; repeat the call.")
    AccountView put(
            @AuthenticationPrincipal Jwt token,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable @Schema(allowableValues = {"paper", "live"}) String environment,
            @PathVariable String accountId,
            @RequestBody NewCredentials body) {
        UserId userId = CallerId.of(token);
        AccountKey account = served(AccountPath.key(broker, market, environment, accountId));
        Supplier<AccountStore.Account> change = credentials.encrypted(userId, account, body.checked(broker));
        AccountStore.Account stored =
                audit.change(token, AuditAction.STORE_CREDENTIALS, userId, account.toString(), change);
        LOG.info("credentials of {} for {} stored, version {}", userId, account.masked(), stored.version());
        reload.signal(userId, account);
        return AccountView.of(stored);
    }

    private AccountKey served(AccountKey account) {
        Brokers.require(account.broker());
        if (account.environment() == Environment.LIVE && !orders.live()) {
            throw Problem.LIVE_NOT_ENABLED.because(
                    "Use an account with environment paper, or ask for berth.orders.live to be enabled.");
        }
        return account;
    }

    @DeleteMapping(AccountPath.ACCOUNT)
    @OperationResponses(problems = {Problem.INVALID_ACCOUNT, Problem.RELOAD_NOT_SENT})
    @CostlyCommand
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Remove an account",
            description =
                    "204, also when the account does not exist. Deletes the credentials; a running worker closes its"
                            + " session; working orders stay at the venue. 503 reload-not-sent: removed, but a"
                            + " running worker was not signalled; repeat the call.")
    void delete(
            @AuthenticationPrincipal Jwt token,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable @Schema(allowableValues = {"paper", "live"}) String environment,
            @PathVariable String accountId) {
        UserId userId = CallerId.of(token);
        AccountKey account = AccountPath.key(broker, market, environment, accountId);
        audit.change(token, AuditAction.REMOVE_CREDENTIALS, userId, account.toString(), () -> {
            accounts.remove(userId, account);
            return account;
        });
        LOG.info("credentials of {} for {} removed", userId, account.masked());
        // Also when nothing was removed: an earlier call may have failed to signal.
        reload.signal(userId, account);
    }

    /** The parser's message may quote the secret. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> unreadable(HttpMessageNotReadableException body) {
        Optional<Problem.Refusal> refusal = Problem.Refusal.in(body);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        return answer(
                Problem.MALFORMED_JSON,
                "Send a JSON object with the fields that GET /v1/brokers lists for the broker. What was sent is not"
                        + " repeated here.");
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> keyUnavailable(CredentialEnvelope.KeyUnavailable unavailable) {
        LOG.warn("credentials were not stored: {}", unavailable.getMessage());
        return answer(
                Problem.UNAVAILABLE, "The key management service does not answer. Nothing was stored; try again.");
    }

    private static ResponseEntity<ProblemDetail> answer(Problem problem, String whatToDo) {
        return ResponseEntity.status(problem.status()).body(problem.detail(whatToDo));
    }
}
