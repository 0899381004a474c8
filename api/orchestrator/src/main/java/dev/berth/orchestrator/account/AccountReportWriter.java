package dev.berth.orchestrator.account;

import dev.berth.activities.account.ReportedAccounts;
import dev.berth.process.PeriodicTask;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** Writes what workers report of accounts into the read model. Every replica takes a part. */
@Component
class AccountReportWriter extends PeriodicTask {
    /** A position is shown so long after its fill, beside the time that the broker takes. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final int BATCH = 100;

    private final ReportedAccounts reports;

    AccountReportWriter(ReportedAccounts reports) {
        super("account-reports", PAUSE);
        this.reports = reports;
    }

    @Override
    protected void round() {
        int recorded = BATCH;
        while (recorded == BATCH && isRunning()) {
            recorded = reports.record(BATCH);
        }
    }
}
