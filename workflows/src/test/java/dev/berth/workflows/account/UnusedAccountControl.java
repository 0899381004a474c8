package dev.berth.workflows.account;

import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.masscancel.VenueMassCancel;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A worker of which a test uses what it overrides. */
public abstract class UnusedAccountControl implements AccountControl {
    private static IllegalStateException unused() {
        return new IllegalStateException("the test does not use it");
    }

    @Override
    public Instant read(AccountKey account) {
        throw unused();
    }

    @Override
    public HeldPositions holdings(AccountKey account, @Nullable String symbol) {
        throw unused();
    }

    @Override
    public CancelVenueOrderOutcome cancel(AccountKey account, String venueOrderId) {
        throw unused();
    }

    @Override
    public VenueMassCancel.Round massCancel(VenueMassCancel request) {
        throw unused();
    }
}
