package dev.berth.acceptance.bench;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * The baseline: a workflow whose one activity, in a process of the user's own, sends a market order
 * to the venue as a worker of Berth does.
 */
@WorkflowInterface
public interface BareWorkflow {
    String WORKFLOWS = "bench-bare";

    /** Returns the venue's answer. */
    @WorkflowMethod
    String run(BareOrder order);

    /**
     * An order.
     *
     * @param user the key id of the venue's account
     */
    record BareOrder(String user, String id, String side) {}

    static String queueOf(String user) {
        return WORKFLOWS + "-" + user;
    }

    @ActivityInterface
    interface BareActivity {
        /** Returns the venue's answer. */
        String send(BareOrder order);
    }

    final class OneActivityWorkflow implements BareWorkflow {
        @Override
        public String run(BareOrder order) {
            ActivityOptions options = ActivityOptions.newBuilder()
                    .setTaskQueue(queueOf(order.user()))
                    .setStartToCloseTimeout(Duration.ofSeconds(10))
                    .build();
            return Workflow.newActivityStub(BareActivity.class, options).send(order);
        }
    }

    final class VenueOrders implements BareActivity {
        private final HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private final URI orders;

        VenueOrders(String venue) {
            this.orders = URI.create(venue + "/v2/orders");
        }

        @Override
        public String send(BareOrder order) {
            String body = """
                    {"symbol":"SPY","qty":"1","side":"%s","type":"market","time_in_force":"day","client_order_id":"%s"}\
                    """.formatted(order.side(), order.id());
            HttpRequest request = HttpRequest.newBuilder(orders)
                    .header("Content-Type", "application/json")
                    .header("APCA-API-KEY-ID", order.user())
                    .header("APCA-API-SECRET-KEY", "paper-" + order.user())
                    .POST(BodyPublishers.ofString(body))
                    .build();
            try {
                HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
                if (answer.statusCode() != 200) {
                    throw new IllegalStateException(answer.statusCode() + ": " + answer.body());
                }
                return answer.body();
            } catch (IOException unreachable) {
                throw new IllegalStateException(unreachable);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(stopped);
            }
        }
    }
}
