package dev.berth.host.broker;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

@Tag("X17")
class AlpacaConformanceTest extends BrokerConformanceTest {
    @Override
    ConformanceBroker startBroker(Path folder) throws Exception {
        return new AlpacaConformanceBroker(folder);
    }
}
