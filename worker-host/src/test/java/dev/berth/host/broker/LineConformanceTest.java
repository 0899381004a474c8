package dev.berth.host.broker;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** With a protocol that has nothing of Alpaca's: numbered lines on one connection. */
@Tag("X17")
class LineConformanceTest extends BrokerConformanceTest {
    @Override
    ConformanceBroker startBroker(Path folder) throws Exception {
        return new LineConformanceBroker();
    }
}
