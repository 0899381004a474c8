package dev.berth.host.pool;

import static dev.berth.activities.ActivitySamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestMoto;
import dev.berth.host.pool.ClaimQueue.Received;
import dev.berth.workflows.Json;
import dev.berth.workflows.pool.ClaimMessage;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

class MotoClaimQueueTest {
    @Tag("A4")
    @DisplayName("A worker takes, puts back and deletes a claim at an SQS that is not Berth's own")
    @Test
    void claimIsTakenPutBackAndDeleted() throws Exception {
        ClaimMessage claim = new ClaimMessage(ALICE, 3, "task-1", Instant.now());
        try (TestMoto moto = TestMoto.start()) {
            String url = moto.sqs()
                    .createQueue(create -> create.queueName("pool-claim"))
                    .queueUrl();
            try (ClaimQueue queue = new ClaimQueue("pool-claim")) {
                moto.sqs().sendMessage(send -> send.queueUrl(url).messageBody("no claim"));
                assertThat(queue.await()).isEmpty();
                moto.sqs().sendMessage(send -> send.queueUrl(url).messageBody(Json.write(claim)));
                queue.warmUp();
                Received taken = queue.await().orElseThrow();
                assertThat(taken.claim()).isEqualTo(claim);
                queue.putBack(taken);
                Received again = queue.await().orElseThrow();
                assertThat(again.claim()).isEqualTo(claim);
                queue.delete(again);
            }
            Map<QueueAttributeName, String> left = moto.sqs()
                    .getQueueAttributes(get -> get.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                    .attributes();
            assertThat(left)
                    .containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "0")
                    .containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE, "0");
        }
    }
}
