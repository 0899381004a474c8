package dev.berth.rest.risk;

import dev.berth.rest.Problem;
import dev.berth.workflows.UserId;
import dev.berth.workflows.risk.OrderHold;
import io.lettuce.core.RedisException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Makes suspensions and stops effective at the send gates of all workers. Where a method returns,
 * it is so; where it throws {@link Problem.Refusal} (503), that is not known.
 */
@Component
public class SendGates {
    private static final Logger LOG = LoggerFactory.getLogger(SendGates.class);

    /** Waits, as {@link Thread#sleep(Duration)} does. */
    public interface Pause {
        void of(Duration time) throws InterruptedException;
    }

    private final RiskCopy copy;
    private final StoppedEpochs stopped;
    private final Pause pause;

    @Autowired
    SendGates(RiskCopy copy, StoppedEpochs stopped) {
        this(copy, stopped, Thread::sleep);
    }

    public SendGates(RiskCopy copy, StoppedEpochs stopped, Pause pause) {
        this.copy = copy;
        this.stopped = stopped;
        this.pause = pause;
    }

    /**
     * Returns when no order passes that a suspension in PostgreSQL holds.
     *
     * @param otherwise what the operator is to do when Redis does not have it
     */
    public void hold(String otherwise) {
        release(otherwise);
        awaitEarlierLooks(otherwise);
    }

    /** Returns when Redis has what PostgreSQL has: orders of users that are resumed may pass. */
    public void release(String otherwise) {
        try {
            copy.heal();
        } catch (RedisException | DataAccessException | TransactionException unavailable) {
            LOG.warn("a suspension or its end is stored, but not in Redis yet: {}", unavailable.getMessage());
            throw Problem.UNAVAILABLE.because(otherwise);
        }
    }

    /** Returns when no order passes the gate of this epoch, or of an earlier one. */
    public void close(UserId userId, long epoch, String otherwise) {
        try {
            stopped.close(userId, epoch);
        } catch (RedisException unavailable) {
            LOG.warn("the send gate of {} is not closed yet: {}", userId, unavailable.getMessage());
            throw Problem.UNAVAILABLE.because(otherwise);
        }
        awaitEarlierLooks(otherwise);
    }

    /** A worker may still act on what it read before Redis had the hold. */
    private void awaitEarlierLooks(String otherwise) {
        try {
            pause.of(OrderHold.EFFECTIVE_AFTER);
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            throw Problem.UNAVAILABLE.because(otherwise);
        }
    }
}
