package dev.berth.rest.remote;

import dev.berth.remote.RemoteAgent;
import dev.berth.routing.CallResult;
import dev.berth.routing.RoutedCalls;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.remote.RemoteAnswer;
import dev.berth.workflows.remote.RemoteBodies;
import dev.berth.workflows.remote.RemoteCall;
import dev.berth.workflows.remote.RemoteMethod;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** A customer with the Java SDK on a machine, and the calls of the customer's worker. */
final class RemoteCustomer implements AutoCloseable {
    static final long EPOCH = 1;
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration EXECUTE = Duration.ofSeconds(2);

    final CountingBroker broker = new CountingBroker(20);
    private final UserId userId;
    private final RoutedCalls routed;
    private final RemoteAgent agent;
    private final Thread running;

    RemoteCustomer(String user, List<URI> replicas, Path folder, RoutedCalls routed) {
        this.userId = new UserId(user);
        this.routed = routed;
        this.agent = new RemoteAgent(
                new RemoteAgent.Options(
                        replicas, () -> user, List.of(RemoteReplica.ACCOUNT.toString()), folder.resolve(user), null),
                broker);
        this.running = Thread.ofPlatform().daemon().start(() -> {
            try {
                agent.run();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            } catch (IOException noJournal) {
                throw new IllegalStateException(noJournal);
            }
        });
    }

    UserId userId() {
        return userId;
    }

    /** A call as the worker gateway makes it. */
    CallResult call(RemoteMethod method, String order, long epoch, Instant deadline) throws InterruptedException {
        Object body = method == RemoteMethod.SEND
                ? Json.tree(
                        "{\"clientOrderId\":\"%s\",\"symbol\":\"AAPL\",\"side\":\"buy\",\"type\":\"market\",\"quantity\":\"1\",\"timeInForce\":\"day\"}"
                                .formatted(order))
                : new RemoteBodies.VersionId(order);
        RemoteCall call = new RemoteCall(
                epoch + "-" + UUID.randomUUID(),
                method,
                RemoteReplica.ACCOUNT.toString(),
                order,
                epoch,
                deadline,
                Json.tree(Json.write(body)));
        return routed.call(userId, Environment.PAPER, RemoteCall.KIND, Json.write(call), ANSWER);
    }

    CallResult send(String order) throws InterruptedException {
        return call(RemoteMethod.SEND, order, EPOCH, Instant.now().plus(EXECUTE));
    }

    /** Whether the machine's broker has the order: asked until it says so or denies it. */
    boolean resolve(String order) throws InterruptedException {
        // The lost call is not executed after its deadline.
        Thread.sleep(EXECUTE);
        while (true) {
            CallResult result =
                    call(RemoteMethod.FIND, order, EPOCH, Instant.now().plus(ANSWER));
            if (result instanceof CallResult.Answered(var answer)) {
                switch (Json.read(answer, RemoteAnswer.class).outcome()) {
                    case REPORT -> {
                        return true;
                    }
                    case ABSENT -> {
                        return false;
                    }
                    default -> {}
                }
            }
            Thread.sleep(Duration.ofMillis(100));
        }
    }

    /** As an application ends its SDK: by an interrupt alone. */
    boolean interrupt(Duration atMost) throws InterruptedException {
        running.interrupt();
        return running.join(atMost);
    }

    @Override
    public void close() {
        agent.close();
        running.interrupt();
    }
}
