package dev.berth.acceptance.verify;

import java.util.List;

/** The report that {@code ./berth verify -o json} prints. */
record PrintedReport(int broken, long underWay, List<PrintedPromise> promises) {

    /**
     * A promise.
     *
     * @param broken the evidence of each breach
     */
    record PrintedPromise(String promise, long lookedAt, List<String> broken) {}
}
