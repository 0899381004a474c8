package dev.berth.rest.account;

import dev.berth.activities.account.AccountPart;
import dev.berth.activities.account.AccountReadModel;
import dev.berth.activities.account.AccountReadModel.ActivityPosition;
import dev.berth.rest.CallerId;
import dev.berth.rest.PageLimit;
import dev.berth.rest.PreferHeader;
import dev.berth.rest.Problem;
import dev.berth.rest.broker.Brokers;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.temporal.client.Page;
import dev.berth.workflows.UserId;
import dev.berth.workflows.account.AccountActivity;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.AccountRead;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What is in a user's own accounts. */
@RestController
@RequestMapping("/v1/accounts")
@Tag(name = "accounts")
class AccountReadController {
    private static final String FRESHNESS =
            " As the worker reported it last, which follows each change; asOf says when. fresh=true asks the broker"
                    + " through the worker, which it starts, and waits 20 s or as Prefer: wait=N says."
                    + " Prefer: wait=N alone tries that, and otherwise answers with what was reported last.";

    private static final PageLimit LIMIT = new PageLimit(500);

    private final AccountReads reads;
    private final AccountReadModel accounts;

    AccountReadController(AccountReads reads, AccountReadModel accounts) {
        this.reads = reads;
        this.accounts = accounts;
    }

    @GetMapping(AccountPath.ACCOUNT + "/balances")
    @OperationResponses(
            problems = {
                Problem.INVALID_ACCOUNT,
                Problem.UNKNOWN_ACCOUNT,
                Problem.ACCOUNT_NOT_READ,
                Problem.ACCOUNT_UNAVAILABLE,
                Problem.REQUEST_BUDGET,
                Problem.NOT_SUPPORTED,
                Problem.CREDENTIALS_REFUSED
            })
    @Operation(summary = "The money of an account", description = "Cash, equity and buying power." + FRESHNESS)
    BalancesView balances(
            @AuthenticationPrincipal Jwt token,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable @Schema(allowableValues = {"paper", "live"}) String environment,
            @PathVariable String accountId,
            @RequestParam(defaultValue = "false") boolean fresh,
            @RequestHeader("Prefer") Optional<String> prefer) {
        return BalancesView.of(reads.part(
                CallerId.of(token),
                AccountPath.key(broker, market, environment, accountId),
                AccountPart.BALANCES,
                freshness(fresh, prefer)));
    }

    private static AccountReads.Freshness freshness(boolean fresh, Optional<String> prefer) {
        return new AccountReads.Freshness(fresh, PreferHeader.timeout(prefer));
    }

    @GetMapping(AccountPath.ACCOUNT + "/positions")
    @OperationResponses(
            problems = {
                Problem.INVALID_ACCOUNT,
                Problem.UNKNOWN_ACCOUNT,
                Problem.ACCOUNT_NOT_READ,
                Problem.ACCOUNT_UNAVAILABLE,
                Problem.REQUEST_BUDGET,
                Problem.NOT_SUPPORTED,
                Problem.CREDENTIALS_REFUSED
            })
    @Operation(summary = "The positions of an account", description = "Quantities are negative when short." + FRESHNESS)
    PositionsView positions(
            @AuthenticationPrincipal Jwt token,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable @Schema(allowableValues = {"paper", "live"}) String environment,
            @PathVariable String accountId,
            @RequestParam(defaultValue = "false") boolean fresh,
            @RequestHeader("Prefer") Optional<String> prefer) {
        return PositionsView.of(reads.part(
                CallerId.of(token),
                AccountPath.key(broker, market, environment, accountId),
                AccountPart.POSITIONS,
                freshness(fresh, prefer)));
    }

    @GetMapping(AccountPath.ACCOUNT + "/orders")
    @OperationResponses(
            problems = {
                Problem.INVALID_ACCOUNT,
                Problem.UNKNOWN_ACCOUNT,
                Problem.ACCOUNT_NOT_READ,
                Problem.ACCOUNT_UNAVAILABLE,
                Problem.REQUEST_BUDGET,
                Problem.NOT_SUPPORTED,
                Problem.CREDENTIALS_REFUSED
            })
    @Operation(
            summary = "The open orders of an account",
            description = "The newest 400, made here or elsewhere; origin tells which." + FRESHNESS)
    AccountOrdersView orders(
            @AuthenticationPrincipal Jwt token,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable @Schema(allowableValues = {"paper", "live"}) String environment,
            @PathVariable String accountId,
            @RequestParam(defaultValue = "false") boolean fresh,
            @RequestHeader("Prefer") Optional<String> prefer) {
        return reads.orders(
                CallerId.of(token), AccountPath.key(broker, market, environment, accountId), freshness(fresh, prefer));
    }

    @GetMapping(AccountPath.ACCOUNT + "/activities")
    @OperationResponses(
            problems = {
                Problem.INVALID_ACCOUNT,
                Problem.UNKNOWN_ACCOUNT,
                Problem.ACCOUNT_NOT_READ,
                Problem.ACCOUNT_UNAVAILABLE,
                Problem.REQUEST_BUDGET,
                Problem.NOT_SUPPORTED,
                Problem.CREDENTIALS_REFUSED
            })
    @Operation(
            summary = "What happened to an account, newest first",
            description =
                    "Executions, fees, dividends and transfers that a worker has seen. limit is 1 to 500." + FRESHNESS)
    ActivitiesView activities(
            @AuthenticationPrincipal Jwt token,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable @Schema(allowableValues = {"paper", "live"}) String environment,
            @PathVariable String accountId,
            @RequestParam(defaultValue = "false") boolean fresh,
            @RequestHeader("Prefer") Optional<String> prefer,
            @RequestParam(defaultValue = "50") @Schema(minimum = "1", maximum = "500") int limit,
            @RequestParam @Nullable String cursor) {
        UserId userId = CallerId.of(token);
        AccountKey account = AccountPath.key(broker, market, environment, accountId);
        ActivityPosition before = cursor == null ? null : ActivityCursor.position(cursor);
        int most = LIMIT.check(limit);
        Brokers.requireRead(account, AccountRead.ACTIVITIES);
        // A report has all parts, and the activities that it lists.
        Instant asOf = reads.part(userId, account, AccountPart.BALANCES, freshness(fresh, prefer))
                .asOf();
        List<AccountActivity> page = accounts.activities(userId, account, before, most);
        return ActivitiesView.of(asOf, Page.of(page, most, ActivityCursor::of));
    }
}
