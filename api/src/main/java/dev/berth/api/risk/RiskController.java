package dev.berth.api.risk;

import dev.berth.activities.risk.RiskCopy;
import dev.berth.activities.risk.RiskStore;
import dev.berth.activities.risk.RiskStore.AccountLimits;
import dev.berth.api.Problem;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.risk.KillSwitch;
import io.lettuce.core.RedisException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Kill switches and limits. Every call needs the scope {@code fleet}, and may be repeated. */
@RestController
@RequestMapping("/v1/fleet")
@Tag(name = "risk")
class RiskController {
    private static final Logger LOG = LoggerFactory.getLogger(RiskController.class);
    private static final String ACCOUNT_LIMITS = "/limits/{userId}/{broker}/{market}/{environment}/{accountId}";

    private final RiskStore store;
    private final RiskCopy copy;

    RiskController(RiskStore store, RiskCopy copy) {
        this.store = store;
        this.copy = copy;
    }

    @GetMapping("/kill-switch")
    @Operation(
            summary = "The kill switches",
            description = "Every one that was ever touched, those that are on first. Needs the scope fleet.")
    KillSwitches killSwitches() {
        return KillSwitches.of(store.switches());
    }

    @PutMapping("/kill-switch")
    @Operation(
            summary = "Set a kill switch",
            description = "Of one user, one broker, or all; 200 with all switches. Within a second no order passes that"
                    + " it stops: new ones are refused, those that wait end as FAILED with the reason. Cancels work."
                    + " Outlives every restart. 503: it is stored, but not everywhere yet; repeat it, that is"
                    + " harmless. Needs the scope fleet.")
    KillSwitches set(@AuthenticationPrincipal Jwt operator, @RequestBody NewKillSwitch body) {
        KillSwitch to = body.by(name(operator), now());
        store.change(to);
        LOG.warn("kill switch {} is {}, by {}: {}", to.name(), to.on() ? "on" : "off", to.changedBy(), to.reason());
        load();
        return killSwitches();
    }

    @GetMapping(ACCOUNT_LIMITS)
    @Operation(summary = "An account's limits", description = "Absent ones do not limit. Needs the scope fleet.")
    LimitsView limits(
            @PathVariable String userId,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable String environment,
            @PathVariable String accountId) {
        UserId user = new UserId(userId);
        AccountKey account = new AccountKey(broker, market, Environment.parse(environment), accountId);
        return store.limits(user, account).map(LimitsView::of).orElseGet(() -> LimitsView.none(user, account));
    }

    @PutMapping(ACCOUNT_LIMITS)
    @Operation(
            summary = "Set an account's limits",
            description = "All at once: what the body leaves out is not limited any more. Orders that are more are"
                    + " refused with 422 risk-limit, or 429 order-rate; one that waits is looked at again before it"
                    + " is sent. 503: stored, but not everywhere yet; repeat it. Needs the scope fleet.")
    LimitsView set(
            @AuthenticationPrincipal Jwt operator,
            @PathVariable String userId,
            @PathVariable String broker,
            @PathVariable String market,
            @PathVariable String environment,
            @PathVariable String accountId,
            @RequestBody NewLimits body) {
        AccountKey account = new AccountKey(broker, market, Environment.parse(environment), accountId);
        AccountLimits to = new AccountLimits(new UserId(userId), account, body.checked(), name(operator), now());
        store.change(to);
        LOG.warn("limits of {} for {} are {}, by {}", to.userId(), account, to.limits(), to.by());
        load();
        return LimitsView.of(to);
    }

    private void load() {
        try {
            copy.load();
        } catch (RedisException | DataAccessException | TransactionException away) {
            LOG.warn("a change is stored, but Redis does not have it yet: {}", away.getMessage());
            throw Problem.UNAVAILABLE.because(
                    "It is stored and takes effect as soon as all servers answer; until then no"
                            + " order is accepted. Repeat it if you want to be sure: that is harmless.");
        }
    }

    private static String name(Jwt operator) {
        return String.valueOf(operator.getSubject());
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
