package dev.berth.host.broker;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * With a sketch of FIX 4.4: one live session with sequence numbers and a journal, fenced by the
 * epoch. Its logons and logouts take a second each, so only {@code -Dberth.long=true} runs it.
 */
@Tag("X17")
@EnabledIfSystemProperty(named = "berth.long", matches = "true")
class FixConformanceTest extends BrokerConformanceTest {
    @Override
    ConformanceBroker startBroker(Path folder) throws Exception {
        return new FixConformanceBroker();
    }
}
