package dev.berth.api.account;

import dev.berth.activities.broker.AccountStore;
import dev.berth.activities.broker.CredentialEnvelope;
import dev.berth.activities.broker.StoredCredentials;
import dev.berth.api.BerthSettings;
import dev.berth.api.Brokers;
import dev.berth.api.CallerId;
import dev.berth.api.Problem;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
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

/** A user's own accounts over REST. What is stored is the truth; the worker is told after it. */
@RestController
@RequestMapping("/v1/accounts")
@Tag(name = "accounts")
class AccountController {
    private static final Logger LOG = LoggerFactory.getLogger(AccountController.class);
    private static final String ONE_ACCOUNT = "/{broker}/{market}/{environment}/{accountId}";

    private final StoredCredentials credentials;
    private final AccountStore accounts;
    private final WorkerReload worker;
    private final BerthSettings.Orders orders;

    AccountController(
            StoredCredentials credentials, AccountStore accounts, WorkerReload worker, BerthSettings settings) {
        this.credentials = credentials;
        this.accounts = accounts;
        this.worker = worker;
        this.orders = settings.orders();
    }

    @GetMapping
    @Operation(
            summary = "My accounts",
            description = "Those that have credentials, paper before live. The secret is never shown.")
    AccountView.Accounts list(@AuthenticationPrincipal Jwt token) {
        return new AccountView.Accounts(
                accounts.list(CallerId.of(token)).stream().map(AccountView::of).toList());
    }

    @PutMapping(ONE_ACCOUNT + "/credentials")
    @Operation(
            summary = "Store an account's credentials",
            description = "200 with the account, also when it is new. They replace those before, can not be read"
                    + " again, and a running worker takes them up without a restart. 503 reload-not-sent: they are"
                    + " stored, but a running worker was not told; repeat the call.")
    AccountView put(
            @AuthenticationPrincipal Jwt token,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable String environment,
            @PathVariable String accountId,
            @RequestBody NewCredentials body) {
        UserId userId = CallerId.of(token);
        AccountKey account = served(key(broker, market, environment, accountId));
        AccountStore.Account stored = credentials.store(userId, account, body.checked());
        LOG.info("credentials of {} for {} stored, version {}", userId, account, stored.version());
        worker.tell(userId, account);
        return AccountView.of(stored);
    }

    private static AccountKey key(String broker, String market, String environment, String accountId) {
        try {
            return new AccountKey(broker, market, Environment.parse(environment), accountId);
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_ACCOUNT.because(String.valueOf(invalid.getMessage()));
        }
    }

    private AccountKey served(AccountKey account) {
        Brokers.requireServed(account.broker());
        if (account.environment() == Environment.LIVE && !orders.live()) {
            throw Problem.LIVE_NOT_ENABLED.because(
                    "Use an account with environment paper, or have berth.orders.live switched on.");
        }
        return account;
    }

    @DeleteMapping(ONE_ACCOUNT)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Remove an account",
            description = "204, also when there is none. Its credentials are deleted and a running worker closes its"
                    + " session; orders that work at the venue stay there. 503 reload-not-sent: removed, but a"
                    + " running worker was not told; repeat the call.")
    void delete(
            @AuthenticationPrincipal Jwt token,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable String environment,
            @PathVariable String accountId) {
        UserId userId = CallerId.of(token);
        AccountKey account = key(broker, market, environment, accountId);
        accounts.remove(userId, account);
        LOG.info("credentials of {} for {} removed", userId, account);
        // Also when there was nothing to remove: the call before may have failed to tell.
        worker.tell(userId, account);
    }

    /** What a parser says of a body quotes it, and with it the secret. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> unreadable(HttpMessageNotReadableException body) {
        return answer(
                Problem.MALFORMED_JSON,
                "The body is {\"keyId\": \"…\", \"secret\": \"…\"}, both text, nothing else; the secret is 1 to 512"
                        + " printable ASCII characters without spaces. It is not repeated here.");
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> keyAway(CredentialEnvelope.KeyAway away) {
        LOG.warn("credentials were not stored: {}", away.getMessage());
        return answer(
                Problem.UNAVAILABLE,
                "The key that protects credentials does not answer. Nothing was stored; try again.");
    }

    private static ResponseEntity<ProblemDetail> answer(Problem problem, String whatToDo) {
        return ResponseEntity.status(problem.status()).body(problem.detail(whatToDo));
    }
}
