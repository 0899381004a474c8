package dev.berth.rest.risk;

import dev.berth.activities.risk.MassCancelStore;
import dev.berth.activities.risk.RiskStore;
import dev.berth.activities.risk.RiskStore.AccountLimits;
import dev.berth.rest.PreferHeader;
import dev.berth.rest.Problem;
import dev.berth.rest.ReasonBody;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.rest.masscancel.FleetMassCancelView;
import dev.berth.rest.masscancel.MassCancels;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.masscancel.MassCancel;
import dev.berth.workflows.risk.KillSwitch;
import io.lettuce.core.RedisException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Kill switches and limits. Every call needs the scope {@code fleet}, and may be repeated. */
@RestController
@RequestMapping("/v1/fleet")
@Tag(name = "risk")
class RiskController {
    private static final Logger LOG = LoggerFactory.getLogger(RiskController.class);
    /** Workers that run cancel within a second. */
    private static final Duration CANCELS_WAIT = Duration.ofSeconds(2);

    private static final String ACCOUNT_LIMITS = "/limits/{userId}/{broker}/{market}/{environment}/{accountId}";

    private final RiskStore store;
    private final RiskCopy copy;
    private final RequestAudit audit;
    private final MassCancelStore recorded;
    private final MassCancels cancels;

    RiskController(RiskStore store, RiskCopy copy, RequestAudit audit, MassCancelStore recorded, MassCancels cancels) {
        this.recorded = recorded;
        this.cancels = cancels;
        this.store = store;
        this.copy = copy;
        this.audit = audit;
    }

    @GetMapping("/kill-switch")
    @Operation(
            summary = "The kill switches",
            description = "All kill switches, active ones first, and whether the gates apply them: the gates"
                    + " read a copy in Redis.")
    KillSwitches killSwitches() {
        try {
            return KillSwitches.of(copy.look());
        } catch (RedisException unavailable) {
            return KillSwitches.withoutRedis(store.snapshot().switches());
        }
    }

    @PutMapping("/kill-switch")
    @OperationResponses(problems = {Problem.UNSUPPORTED_BROKER, Problem.IDEMPOTENCY_KEY_REUSED})
    @Operation(
            summary = "Set a kill switch",
            description = "For one user, one broker, or all; 200 with all switches. Takes effect within a second:"
                    + " new orders are refused, waiting ones become FAILED with the reason. Cancels still work."
                    + " Survives every restart. With cancel, the open orders that it stops are canceled, too: cancels"
                    + " has how far that is after 2 s or Prefer: wait=N, and goes on; GET"
                    + " /v1/fleet/kill-switch/cancels/{id} follows it. 503: stored, but not in effect everywhere yet;"
                    + " repeat the call, that is harmless, and cancels once under the same Idempotency-Key.")
    KillSwitches set(
            @AuthenticationPrincipal Jwt operator,
            @RequestHeader("Idempotency-Key") Optional<String> idempotencyKey,
            @RequestHeader("Prefer") Optional<String> prefer,
            @RequestBody NewKillSwitch body) {
        KillSwitch change = body.by(ReasonBody.name(operator), now());
        Duration given = PreferHeader.timeout(prefer);
        Optional<MassCancel> request = body.isCanceling()
                ? Optional.of(cancels.request(change, body.isKeepingExits(), idempotencyKey))
                : Optional.empty();
        UserId user = change.level() == KillSwitch.Level.USER ? new UserId(String.valueOf(change.which())) : null;
        String what =
                "%s %s%s: %s".formatted(change.name(), change.on() ? "on" : "off", body.cancelsText(), change.reason());
        audit.change(operator, AuditAction.SET_KILL_SWITCH, user, what, () -> {
            store.change(change);
            // With the switch, so that what it stops ends CANCELED, and does not fail.
            request.ifPresent(recorded::record);
            return change;
        });
        LOG.warn(
                "kill switch {} is {}, by {}: {}",
                change.name(),
                change.on() ? "on" : "off",
                change.changedBy(),
                change.reason());
        // It waits for Redis by itself.
        request.ifPresent(cancels::begin);
        syncCopy();
        return request.isEmpty()
                ? killSwitches()
                : killSwitches().with(cancels.begun(request.get(), given.isPositive() ? given : CANCELS_WAIT));
    }

    @GetMapping("/kill-switch/cancels/{id}")
    @OperationResponses(problems = Problem.NOT_FOUND)
    @Operation(
            summary = "How far the cancels of a kill switch are",
            description = "How many orders are canceled, and which are not, with the reason. Prefer: wait=N waits for"
                    + " the end.")
    FleetMassCancelView cancels(
            @AuthenticationPrincipal Jwt operator,
            @PathVariable String id,
            @RequestHeader("Prefer") Optional<String> prefer) {
        audit.read(operator, AuditAction.READ_ORDERS, null, "cancels " + id);
        return progress(id, PreferHeader.timeout(prefer));
    }

    private FleetMassCancelView progress(String id, Duration within) {
        return cancels.find(id, within)
                .orElseThrow(() -> Problem.NOT_FOUND.because("No kill switch requested cancels with the id " + id
                        + ". PUT /v1/fleet/kill-switch with cancel true answers with one."));
    }

    @GetMapping(ACCOUNT_LIMITS)
    @Operation(summary = "An account's limits", description = "An absent limit does not apply.")
    LimitsView limits(
            @AuthenticationPrincipal Jwt operator,
            @PathVariable String userId,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable @Schema(allowableValues = {"paper", "live"}) String environment,
            @PathVariable String accountId) {
        UserId user = new UserId(userId);
        AccountKey account = new AccountKey(broker, market, Environment.parse(environment), accountId);
        audit.read(operator, AuditAction.READ_LIMITS, user, account.toString());
        return store.limits(user, account).map(LimitsView::of).orElseGet(() -> LimitsView.none(user, account));
    }

    @PutMapping(ACCOUNT_LIMITS)
    @Operation(
            summary = "Set an account's limits",
            description = "Replaces all limits: an absent limit is removed. Orders above a limit are refused"
                    + " with 422 risk-limit or 429 order-rate; a waiting order is checked again before it"
                    + " is sent. 503: stored, but not in effect everywhere yet; repeat the call.")
    LimitsView set(
            @AuthenticationPrincipal Jwt operator,
            @PathVariable String userId,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable @Schema(allowableValues = {"paper", "live"}) String environment,
            @PathVariable String accountId,
            @RequestBody NewLimits body) {
        AccountKey account = new AccountKey(broker, market, Environment.parse(environment), accountId);
        AccountLimits change =
                new AccountLimits(new UserId(userId), account, body.checked(), ReasonBody.name(operator), now());
        String what = account + " " + Json.write(change.limits());
        audit.change(operator, AuditAction.SET_LIMITS, change.userId(), what, () -> {
            store.change(change);
            return change;
        });
        LOG.warn("limits of {} for {} are {}, by {}", change.userId(), account.masked(), change.limits(), change.by());
        syncCopy();
        return LimitsView.of(change);
    }

    private void syncCopy() {
        try {
            copy.heal();
        } catch (RedisException | DataAccessException | TransactionException unavailable) {
            LOG.warn("a change is stored, but not in Redis yet: {}", unavailable.getMessage());
            throw Problem.UNAVAILABLE.because(
                    "The change is stored and takes effect when all servers answer; until then no"
                            + " order is accepted. You may repeat the call; that is harmless.");
        }
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
