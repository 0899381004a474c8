package dev.berth.local.venue;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A venue and alice as its client, new for each test. */
abstract class VenueFixture {
    static final String EPOCH_HEADER = "Sender-Epoch";

    PaperVenue venue;
    VenueClient client;

    @BeforeEach
    void startVenue(@TempDir Path folder) {
        venue = PaperVenue.start(0, folder.resolve("book.jsonl"), EPOCH_HEADER);
        client = new VenueClient(venue, "alice");
    }

    @AfterEach
    void stopVenue() {
        venue.close();
    }
}
