package dev.berth.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;

class LocalSqsTest {
    @Test
    void startCreatesBothQueues() {
        try (LocalSqs server = LocalSqs.start(0);
                SqsClient sqs = server.client()) {
            assertThat(sqs.listQueues().queueUrls())
                    .extracting(url -> url.substring(url.lastIndexOf('/') + 1))
                    .containsExactlyInAnyOrder("pool-claim", "task-events");
        }
    }
}
