package dev.berth.rest.risk;

import dev.berth.activities.risk.RiskStore;
import dev.berth.process.settings.BerthSettings;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The copy of switches and limits in Redis, quotes and admission. */
@Configuration
@Import(StoppedEpochs.class)
class RiskConfiguration {
    @Bean
    RiskCopy riskCopy(RiskStore store, RedisCommands<String, String> redis, MeterRegistry registry) {
        RiskCopy copy = new RiskCopy(store, redis);
        FunctionCounter.builder("berth.risk.foreign.copies", copy, RiskCopy::foreignCopies)
                .description(
                        "Copies of switches, limits and suspensions in Redis with foreign content, which were replaced")
                .register(registry);
        return copy;
    }

    @Bean
    RedisQuotes redisQuotes(RedisCommands<String, String> redis, BerthSettings settings) {
        return new RedisQuotes(redis, settings.orders().symbols());
    }

    @Bean
    AdmissionGate orderGate(StatefulRedisConnection<String, String> redis, BerthSettings settings) {
        BerthSettings.Admission admission = settings.admission();
        return new AdmissionGate(
                redis,
                new AdmissionLimits(
                        admission.maxActive(),
                        admission.maxActivePerUser(),
                        admission.reserve(),
                        admission.reservePerUser()));
    }
}
