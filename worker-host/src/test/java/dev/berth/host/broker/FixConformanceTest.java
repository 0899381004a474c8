package dev.berth.host.broker;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/**
 * With a sketch of FIX 4.4: one live session with sequence numbers and a journal, fenced by the
 * epoch. Its logons and logouts take a second each, so {@code ./berth test --long} runs it.
 */
@Tag("X17")
@Tag("long")
class FixConformanceTest extends BrokerConformanceTest {
    @Override
    ConformanceBroker startBroker(Path folder) throws Exception {
        return new FixConformanceBroker();
    }
}
