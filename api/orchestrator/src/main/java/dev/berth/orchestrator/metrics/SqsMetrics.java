package dev.berth.orchestrator.metrics;

import dev.berth.process.metrics.GaugeSampler;
import dev.berth.process.metrics.GaugeSampler.Reading;
import dev.berth.process.settings.BerthSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Depth and age of the SQS queues. */
@Configuration
class SqsMetrics {
    /**
     * SQS tells the age of the oldest message to CloudWatch alone, so the age here is the time
     * since the queue was last seen empty: never less than that of the oldest message.
     */
    @Bean
    GaugeSampler sqsSample(SqsClient sqs, BerthSettings settings, MeterRegistry meters, InstantSource clock) {
        List<String> queues = List.of(settings.sqs().poolClaim(), settings.sqs().taskEvents());
        Map<String, Instant> lastEmpty = new HashMap<>();
        return new GaugeSampler(
                "sqs",
                () -> {
                    List<Reading> readings = new ArrayList<>();
                    for (String queue : queues) {
                        String url = sqs.getQueueUrl(request -> request.queueName(queue))
                                .queueUrl();
                        Map<QueueAttributeName, String> attributes = sqs.getQueueAttributes(
                                        request -> request.queueUrl(url)
                                                .attributeNames(
                                                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
                                .attributes();
                        long visible = number(attributes, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES);
                        Instant now = clock.instant();
                        if (visible == 0 || !lastEmpty.containsKey(queue)) {
                            lastEmpty.put(queue, now);
                        }
                        Instant since = lastEmpty.getOrDefault(queue, now);
                        Tags tags = Tags.of("queue", queue);
                        readings.add(Reading.count("berth.sqs.messages", tags.and("state", "visible"), visible));
                        readings.add(Reading.count(
                                "berth.sqs.messages",
                                tags.and("state", "in-flight"),
                                number(attributes, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)));
                        readings.add(Reading.time("berth.sqs.waiting.seconds", tags, Duration.between(since, now)));
                    }
                    return readings;
                },
                meters,
                clock);
    }

    private static long number(Map<QueueAttributeName, String> attributes, QueueAttributeName name) {
        return Long.parseLong(attributes.getOrDefault(name, "0"));
    }
}
