package dev.berth.acceptance.bench;

import dev.berth.acceptance.bench.BareWorkflow.BareOrder;
import dev.berth.temporal.TemporalWorkers;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.worker.WorkerFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * The process of the baseline that stands for the API: it starts the workflows, and runs them. Its
 * argument is Temporal's address. Each line of its input is a {@link ClosedLoop}, and it prints the
 * orders that it sent, a line each, then an empty line.
 */
final class BareOrders {
    private BareOrders() {}

    static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        WorkflowClient client = BareWorker.connect(arguments[0]);
        WorkerFactory factory = WorkerFactory.newInstance(client, TemporalWorkers.factory());
        factory.newWorker(BareWorkflow.WORKFLOWS)
                .registerWorkflowImplementationTypes(BareWorkflow.OneActivityWorkflow.class);
        factory.start();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            StringBuilder answer = new StringBuilder();
            for (ClosedLoop.Sent sent :
                    read(line).run((user, id, side) -> run(client, new BareOrder(user, id, side)))) {
                answer.append(write(sent)).append('\n');
            }
            System.out.println(answer);
        }
        System.exit(0);
    }

    private static void run(WorkflowClient client, BareOrder order) {
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setTaskQueue(BareWorkflow.WORKFLOWS)
                .setWorkflowId(order.id())
                .setDisableEagerExecution(false)
                .build();
        client.newWorkflowStub(BareWorkflow.class, options).run(order);
    }

    /** The line that this process reads. */
    static String write(ClosedLoop loop) {
        return "%s %s %s %s".formatted(loop.atOnce(), loop.time(), loop.most(), String.join(",", loop.users()));
    }

    private static ClosedLoop read(String line) {
        String[] words = line.split(" ", -1);
        return new ClosedLoop(
                List.of(words[3].split(",", -1)),
                Integer.parseInt(words[0]),
                Duration.parse(words[1]),
                Integer.parseInt(words[2]));
    }

    private static String write(ClosedLoop.Sent sent) {
        return "%s %s %s".formatted(sent.id(), sent.begun(), sent.answered());
    }
}
