package dev.berth.acceptance.chaos;

import java.io.IOException;
import java.util.List;

/** Some submissions go wrong at the venue. A refusal is an answer like others: the order ends as {@code REJECTED}. */
final class VenueFaults {
    private static final List<String> VARIANTS = List.of(
            "{\"dropAnswer\":0.15}",
            "{\"hang\":0.05}",
            "{\"serverError\":0.15}",
            "{\"delayMillis\":800,\"dropAnswer\":0.05}",
            "{\"refuse\":0.05,\"delayMillis\":200,\"serverError\":0.05}");

    private VenueFaults() {}

    static int inject(Site site, Fault fault) throws IOException, InterruptedException {
        site.venueFaults(VARIANTS.get(fault.place() % VARIANTS.size()));
        try {
            Thread.sleep(fault.lasts());
            return 1;
        } finally {
            site.venueFaults("{}");
        }
    }
}
