package dev.berth.host.broker;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** FIX 4.4, with a counterparty that answers for one order at a time. */
@Tag("X17")
@Tag("Y5")
class FixUnlistedConformanceTest extends BrokerConformanceTest {
    @Override
    ConformanceBroker startBroker(Path folder) throws Exception {
        return new FixConformanceBroker(false);
    }
}
