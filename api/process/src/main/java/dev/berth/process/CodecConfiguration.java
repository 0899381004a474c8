package dev.berth.process;

import dev.berth.process.settings.BerthSettings;
import dev.berth.temporal.codec.DerivedPayloadKeys;
import dev.berth.temporal.codec.FileMasterKeys;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The payload keys. An unusable key file fails the start: nothing may be stored in clear. */
@Configuration
class CodecConfiguration {
    @Bean
    DerivedPayloadKeys payloadKeys(BerthSettings settings, InstantSource clock) {
        return new DerivedPayloadKeys(new FileMasterKeys(settings.codec().keyFile(), clock));
    }
}
