package dev.berth.host.broker;

import dev.berth.workflows.broker.OrderIdentity;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** With a broker that knows ids of its own alone, in an account where nothing else trades. */
@Tag("X17")
@Tag("Y7")
class VenueIdConformanceTest extends BrokerConformanceTest {
    @Override
    ConformanceBroker startBroker(Path folder) throws Exception {
        return new VenueIdConformanceBroker(OrderIdentity.NONE, true);
    }
}
