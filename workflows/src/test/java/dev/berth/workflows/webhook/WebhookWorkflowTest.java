package dev.berth.workflows.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WebhookWorkflowTest {
    private static final WebhookMessage MESSAGE =
            new WebhookMessage(new WebhookOwner("alice"), "ops", "msg_1", Duration.ofSeconds(5), Duration.ofHours(24));

    private final InMemoryServer server = new InMemoryServer();
    private final Receiver receiver = new Receiver();
    private WebhookWorkflow delivery;

    /** Fails until a number of attempts was made, and until it is up. */
    private final class Receiver implements WebhookDelivery {
        final List<Instant> attempts = new CopyOnWriteArrayList<>();
        final List<String> givenUp = new CopyOnWriteArrayList<>();
        int failures;
        Instant upAt = Instant.EPOCH;
        FailureType how = FailureType.WEBHOOK_NOT_ANSWERED;

        @Override
        public void deliver(WebhookMessage message) {
            attempts.add(server.now());
            if (attempts.size() <= failures || attempts.getLast().isBefore(upAt)) {
                throw how.failure("The receiver answered 500");
            }
        }

        @Override
        public void giveUp(WebhookMessage message, String reason) {
            givenUp.add(reason);
        }
    }

    @BeforeEach
    void start() {
        server.worker(TaskQueues.FLEET).registerWorkflowImplementationTypes(WebhookWorkflowImpl.class);
        server.worker(TaskQueues.WEBHOOKS).registerActivitiesImplementations(receiver);
        server.start();
        delivery = server.workflow(
                WebhookWorkflow.class, WorkflowIds.webhook(MESSAGE.owner(), "ops", "msg_1", 0), TaskQueues.FLEET);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Tag("D12")
    @DisplayName("A receiver that fails is asked again after growing pauses, until it answers")
    @Test
    void retriesUntilAnswered() {
        receiver.failures = 4;
        delivery.run(MESSAGE);
        assertThat(receiver.attempts).hasSize(5);
        assertThat(Duration.between(receiver.attempts.get(0), receiver.attempts.get(1)))
                .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(8));
        assertThat(Duration.between(receiver.attempts.get(3), receiver.attempts.get(4)))
                .isBetween(Duration.ofSeconds(135), Duration.ofSeconds(145));
        assertThat(receiver.givenUp).isEmpty();
    }

    @Tag("D12")
    @DisplayName("A receiver that is down for 5 min gets the message once, within another 6 min")
    @Test
    void outageDelaysMessage() {
        receiver.upAt = server.now().plus(Duration.ofMinutes(5));
        delivery.run(MESSAGE);
        assertThat(receiver.attempts).hasSize(6);
        assertThat(receiver.attempts.getLast()).isBetween(receiver.upAt, receiver.upAt.plus(Duration.ofMinutes(6)));
        assertThat(receiver.givenUp).isEmpty();
    }

    @Tag("D12")
    @DisplayName("After a day the message is given up, with the last answer as its reason")
    @Test
    void givesUpAfterDay() {
        receiver.failures = 1_000;
        delivery.run(MESSAGE);
        assertThat(receiver.givenUp).containsExactly("The receiver answered 500");
        assertThat(receiver.attempts.size()).isBetween(10, 20);
        assertThat(Duration.between(receiver.attempts.getFirst(), receiver.attempts.getLast()))
                .isBetween(Duration.ofHours(20), Duration.ofHours(24));
    }

    @Tag("X32")
    @DisplayName("Attempts have a queue of their own, where operators come first and users take turns")
    @Test
    void attemptsHaveQueueOfTheirOwn() {
        delivery.run(MESSAGE);
        String id = WorkflowIds.webhook(MESSAGE.owner(), "ops", "msg_1", 0);
        assertThat(server.priorities(id, "deliverWebhook")).containsExactly(3);
        assertThat(server.fairnessKeys(id, "deliverWebhook")).containsExactly("alice");

        WebhookMessage ofFleet =
                new WebhookMessage(WebhookOwner.FLEET, "ops", "msg_2", MESSAGE.firstRetry(), MESSAGE.giveUpAfter());
        String fleet = WorkflowIds.webhook(WebhookOwner.FLEET, "ops", "msg_2", 0);
        receiver.failures = 1_000;
        receiver.how = FailureType.WEBHOOK_GONE;
        server.workflow(WebhookWorkflow.class, fleet, TaskQueues.FLEET).run(ofFleet);
        assertThat(server.priorities(fleet, "deliverWebhook")).containsExactly(1);
        // The worker of the fleet queue has no activity, so both ran in the queue of webhooks.
        assertThat(receiver.givenUp).hasSize(1);
    }

    @Tag("D12")
    @DisplayName("A receiver that wants no more is not asked again")
    @Test
    void goneIsFinal() {
        receiver.failures = 1_000;
        receiver.how = FailureType.WEBHOOK_GONE;
        delivery.run(MESSAGE);
        assertThat(receiver.attempts).hasSize(1);
        assertThat(receiver.givenUp).hasSize(1);
    }
}
