package dev.berth.host.broker;

import dev.berth.workflows.broker.OrderIdentity;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** With a broker that gives back a tag, and no client order id. */
@Tag("X17")
@Tag("Y7")
class TagConformanceTest extends BrokerConformanceTest {
    @Override
    ConformanceBroker startBroker(Path folder) throws Exception {
        return new VenueIdConformanceBroker(OrderIdentity.TAG, false);
    }
}
