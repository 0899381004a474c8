package dev.berth.acceptance.chaos;

import java.io.IOException;
import java.util.List;

/** Some submissions fail at the venue. A refused order ends as {@code REJECTED}. */
final class VenueFaultInjection {
    private static final List<String> VARIANTS = List.of(
            "{\"dropAnswer\":0.15}",
            "{\"hang\":0.05}",
            "{\"serverError\":0.15}",
            "{\"delayMillis\":800,\"dropAnswer\":0.05}",
            "{\"refuse\":0.05,\"delayMillis\":200,\"serverError\":0.05}");

    private VenueFaultInjection() {}

    static int inject(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException {
        site.venueFaults(VARIANTS.get(fault.place() % VARIANTS.size()));
        try {
            Thread.sleep(fault.lasts());
            return 1;
        } finally {
            site.venueFaults("{}");
        }
    }
}
