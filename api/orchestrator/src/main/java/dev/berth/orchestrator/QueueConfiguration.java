package dev.berth.orchestrator;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The queues of pool claims and of task events. */
@Configuration
class QueueConfiguration {
    @Bean
    SqsClient sqs() {
        return SqsClient.create();
    }
}
