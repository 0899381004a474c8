package dev.berth.host.broker;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** FIX 4.4, with a counterparty that lists and cancels all orders with one request. */
@Tag("X17")
@Tag("Y5")
class FixConformanceTest extends BrokerConformanceTest {
    @Override
    ConformanceBroker startBroker(Path folder) throws Exception {
        return new FixConformanceBroker(true);
    }
}
