package dev.berth.rest.masscancel;

import dev.berth.activities.risk.MassCancelStore;
import dev.berth.rest.Problem;
import dev.berth.rest.account.AccountChoice;
import dev.berth.rest.order.OrderValidator;
import dev.berth.temporal.client.MassCancelWorkflowClient;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.masscancel.FleetMassCancelReport;
import dev.berth.workflows.masscancel.MassCancel;
import dev.berth.workflows.masscancel.MassCancelReport;
import dev.berth.workflows.risk.KillSwitch;
import io.grpc.StatusRuntimeException;
import io.temporal.client.WorkflowQueryException;
import io.temporal.client.WorkflowServiceException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Cancels everything that a request covers. A request that is repeated under its key goes on. */
@Component
public class MassCancels {
    /** An order that another replica accepted a moment ago, by a clock that is ahead. */
    private static final Duration CLOCKS = Duration.ofMillis(100);

    /** Of one user. Every replica reads those of all users each second. */
    private static final int MOST_IN_EFFECT = 100;

    private static final Logger LOG = LoggerFactory.getLogger(MassCancels.class);

    private final MassCancelWorkflowClient workflows;
    private final MassCancelStore inEffect;
    private final AccountChoice accounts;
    private final InstantSource clock;

    MassCancels(
            MassCancelWorkflowClient workflows, MassCancelStore inEffect, AccountChoice accounts, InstantSource clock) {
        this.workflows = workflows;
        this.inEffect = inEffect;
        this.accounts = accounts;
        this.clock = clock;
    }

    /**
     * Cancels a user's orders, and waits for their ends.
     *
     * @throws Problem.Refusal when the account is not the user's, the key is another request's, or
     *     too many with other filters are in effect
     */
    MassCancelView cancel(UserId userId, NewMassCancel body, Optional<String> key, Duration within) {
        if (body.account() != null) {
            accounts.of(userId, body.account());
        }
        MassCancel request = MassCancel.of(
                id(key),
                userId,
                body.account(),
                symbol(body),
                body.side(),
                clock.instant().plus(CLOCKS).truncatedTo(ChronoUnit.MILLIS));
        requireRoom(request);
        workflows.start(userId, request);
        MassCancelReport report = workflows.await(userId, request.id(), within);
        if (!report.request().filter().equals(request.filter())) {
            throw usedKey(request.key());
        }
        return MassCancelView.of(report);
    }

    /**
     * Two at once may both have the last place. Without PostgreSQL the cancel waits for it, and is
     * not counted.
     */
    private void requireRoom(MassCancel request) {
        int others = 0;
        try {
            others = inEffect.others(request);
        } catch (DataAccessException unavailable) {
            LOG.warn("cancels in effect are not counted: {}", unavailable.getMessage());
        }
        if (others >= MOST_IN_EFFECT) {
            throw Problem.TOO_MANY_CANCELS.because("A cancel stays in effect until no order from before it can be sent,"
                    + " and " + MOST_IN_EFFECT + " of yours are. Cancel everything, with the body {}: that takes the"
                    + " place of them all.");
        }
    }

    /**
     * The request to cancel the orders that a kill switch stops: an earlier one of this key.
     *
     * @param keepsExits whether orders that protect a position stay
     * @throws Problem.Refusal when the key is another request's
     */
    public MassCancel request(KillSwitch stop, boolean keepsExits, Optional<String> key) {
        MassCancel request = MassCancel.of(id(key), stop, keepsExits);
        Optional<MassCancel> earlier =
                key.flatMap(_ -> workflows.await(request.id(), Duration.ZERO)).map(FleetMassCancelReport::request);
        if (earlier.isPresent() && !earlier.get().filter().equals(request.filter())) {
            throw usedKey(request.key());
        }
        return earlier.orElse(request);
    }

    /** Begins with it, unless it has begun. */
    public void begin(MassCancel request) {
        workflows.start(request);
    }

    /** How far that is; empty when there is no such request. */
    public Optional<FleetMassCancelView> find(String key, Duration within) {
        return workflows.await(MassCancel.idOfSwitch(key), within).map(FleetMassCancelView::of);
    }

    /** How far a request is that was begun; nothing yet when that cannot be read now. */
    public FleetMassCancelView begun(MassCancel request, Duration within) {
        try {
            return find(request.key(), within).orElseGet(() -> begun(request));
        } catch (WorkflowServiceException | WorkflowQueryException | StatusRuntimeException unavailable) {
            LOG.warn("cancels go on, but how far they are cannot be read: {}", unavailable.getMessage());
            return begun(request);
        }
    }

    private static FleetMassCancelView begun(MassCancel request) {
        return FleetMassCancelView.of(FleetMassCancelReport.begun(request));
    }

    /** A misspelt one would match nothing, and seem to be canceled. */
    private static @Nullable String symbol(NewMassCancel body) {
        try {
            return body.symbol() == null ? null : OrderValidator.wellFormed(body.symbol());
        } catch (IllegalArgumentException malformed) {
            throw Problem.INVALID_REQUEST.because(String.valueOf(malformed.getMessage()));
        }
    }

    private static String id(Optional<String> key) {
        return key.map(given -> ClientOrderId.parse(given)
                        .map(ClientOrderId::value)
                        .orElseThrow(() -> Problem.INVALID_REQUEST.because(
                                "The header Idempotency-Key is 1 to 64 characters of A-Z, a-z, 0-9, dot, underscore"
                                        + " and hyphen.")))
                .orElseGet(() -> UUID.randomUUID().toString());
    }

    private static Problem.Refusal usedKey(String id) {
        return Problem.IDEMPOTENCY_KEY_REUSED.because(
                "The key " + id + " was used for another request. Use a new one, or repeat that request as it was.");
    }
}
