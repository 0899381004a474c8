package dev.berth.gateway;

import dev.berth.routing.RoutedCalls;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.temporal.tracing.SpanExport;
import dev.berth.workflows.UserGroup;
import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.Server;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The server that workers call in place of Temporal, Redis and PostgreSQL. It keeps nothing but the
 * polls that wait: any number of gateways serve the same workers.
 */
public final class GatewayServer implements AutoCloseable {
    private final Upstream upstream;
    private final ActivityPolls polls;
    private final GatewayTransport transport = new GatewayTransport();
    private final ParkedWorkers idle;
    private final ClaimSource claims;
    private final Server server;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("gateway-", 0).factory());
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gateway-deadlines").factory());

    private GatewayServer(
            GatewaySettings settings,
            StatefulRedisConnection<String, String> redis,
            StatefulRedisPubSubConnection<String, String> channel,
            ClaimSource claims,
            WorkflowServiceStubs temporal,
            RoutedCalls routed,
            FixJournals journals,
            GatewayListener listener,
            SpanExport spans)
            throws IOException {
        Refusals refusals = new Refusals(listener);
        AssignmentTokens assignments = new AssignmentTokens(settings.key());
        TaskTokenSeal seal = new TaskTokenSeal(settings.key());
        this.upstream = new Upstream(temporal.getRawChannel(), settings.namespace());
        CurrentEpochs epochs = new CurrentEpochs(redis.async());
        UserPayloads payloads = new UserPayloads(settings.payloadKeys());
        this.polls = new ActivityPolls(upstream, seal, payloads, refusals);
        GatewayConnections connections = new GatewayConnections(listener);
        TaskAnswers answers = new TaskAnswers(upstream, seal, payloads, epochs, refusals);
        WorkflowClient client = WorkflowClient.newInstance(
                temporal,
                TemporalClients.workflows(settings.namespace(), TemporalClients.encrypting(settings.payloadKeys()))
                        .setIdentity("gateway")
                        .build());
        UserHeartbeats heartbeats = new UserHeartbeats(redis.sync(), listener, refusals);
        PoolMembership pool = new PoolMembership(redis.sync(), assignments, heartbeats, refusals);
        this.claims = claims;
        this.idle = new ParkedWorkers(pool, threads, clock, listener);
        ClaimRouting routing = new ClaimRouting(redis.sync(), channel, idle, threads);
        claims.read(UserGroup.DEFAULT, routing::route);
        this.server = transport
                .guard(ServerPort.of(settings), connections)
                // Nothing blocks: Temporal is called asynchronously, Redis on other threads.
                .directExecutor()
                .maxInboundMessageSize(GatewayLimits.TEMPORAL_MESSAGE_BYTES)
                .permitKeepAliveTime(GatewayLimits.PERMITTED_KEEP_ALIVE.toSeconds(), TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .keepAliveTime(GatewayLimits.KEEP_ALIVE.toSeconds(), TimeUnit.SECONDS)
                .keepAliveTimeout(GatewayLimits.KEEP_ALIVE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                .maxConcurrentCallsPerConnection(GatewayLimits.CALLS_PER_CONNECTION)
                .flowControlWindow(GatewayLimits.FLOW_CONTROL_WINDOW)
                // A compressed request would be larger than what is counted; no worker sends one.
                .decompressorRegistry(DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false))
                .addStreamTracerFactory(RequestSize.FACTORY)
                .addService(TemporalCalls.service(upstream, answers, polls, epochs, refusals))
                .addService(HealthCalls.service(upstream))
                .addService(own(
                                settings,
                                redis.sync(),
                                epochs,
                                client,
                                routed,
                                journals,
                                assignments,
                                heartbeats,
                                pool,
                                routing,
                                refusals,
                                spans)
                        .build())
                .fallbackHandlerRegistry(new RefusedMethods(refusals))
                .intercept(new QuantityLimits(connections, refusals))
                .intercept(new CallerAuthentication(assignments, refusals))
                .build()
                .start();
    }

    /**
     * Starts a gateway.
     *
     * @param redis with a time-out well below the interval of heartbeats, so that a worker hears of
     *     an outage in time
     * @param channel of this gateway alone, for claims that others received
     * @param claims of this gateway alone; {@link #close} closes it, too
     * @param temporal open until after {@link #close}
     * @param routed calls customers' machines; open until after {@link #close}
     * @param journals what FIX sessions of workers remember
     * @param spans exports those of workers
     * @throws IOException when the port is in use
     */
    public static GatewayServer start(
            GatewaySettings settings,
            StatefulRedisConnection<String, String> redis,
            StatefulRedisPubSubConnection<String, String> channel,
            ClaimSource claims,
            WorkflowServiceStubs temporal,
            RoutedCalls routed,
            FixJournals journals,
            GatewayListener listener,
            SpanExport spans)
            throws IOException {
        return new GatewayServer(settings, redis, channel, claims, temporal, routed, journals, listener, spans);
    }

    private OwnCalls own(
            GatewaySettings settings,
            RedisCommands<String, String> redis,
            CurrentEpochs epochs,
            WorkflowClient temporal,
            RoutedCalls routed,
            FixJournals journals,
            AssignmentTokens assignments,
            UserHeartbeats heartbeats,
            PoolMembership pool,
            ClaimRouting routing,
            Refusals refusals,
            SpanExport spans) {
        Enrolment enrolment = new Enrolment(redis, settings.authority(), assignments, refusals, InstantSource.system());
        UserData data = new UserData(redis, refusals, InstantSource.system());
        WorkerSignals signals = new WorkerSignals(temporal, refusals);
        WarmUpCalls warmUp = new WarmUpCalls(temporal, redis, refusals, settings.training());
        RemoteBroker remote = new RemoteBroker(routed, refusals, InstantSource.system());
        WorkerSpans workerSpans = new WorkerSpans(spans);
        ServingGuard guard = new ServingGuard(epochs, refusals);
        OwnCalls own = new OwnCalls(refusals, threads, clock);
        new FixJournalCalls(journals, refusals).serve(own, guard);
        new OrderIntentCalls(journals.intents(), refusals).serve(own, guard);
        return own.method(GatewayMethods.ENROL, (_, request) -> enrolment.enrol(request))
                .method(GatewayMethods.RENEW_CERTIFICATE, enrolment::renew)
                .waitingMethod(GatewayMethods.AWAIT_CLAIM, (caller, heartbeat) -> {
                    // Another gateway may have none of this group's workers, and read nothing.
                    claims.read(UserGroup.orDefault(caller.task().pool()), routing::route);
                    return idle.park(caller, heartbeat);
                })
                .method(GatewayMethods.RENEW_HEARTBEAT, heartbeats::renew)
                .method(GatewayMethods.UPDATE_HEARTBEAT, (caller, activity) -> {
                    heartbeats.update(caller, activity);
                    return new Empty();
                })
                .method(GatewayMethods.REMOVE_HEARTBEAT, (caller, _) -> {
                    heartbeats.remove(caller);
                    return new Empty();
                })
                .method(GatewayMethods.RENEW_IDLE, (caller, _) -> pool.renew(caller))
                .method(GatewayMethods.LEAVE_IDLE, (caller, _) -> {
                    pool.leave(caller);
                    return new Empty();
                })
                .method(GatewayMethods.READ_RISK, data::risk)
                .method(GatewayMethods.PUBLISH_ORDER, (caller, request) -> {
                    data.publish(caller, request);
                    return new Empty();
                })
                .method(GatewayMethods.ATTACHED, guard.newest(GatewayMethods.ATTACHED, (caller, request) -> {
                    signals.attached(caller, request);
                    return new Empty();
                }))
                .method(GatewayMethods.FOUND, guard.serving(GatewayMethods.FOUND, (caller, _) -> {
                    signals.found(caller);
                    return new Empty();
                }))
                .method(GatewayMethods.IDLE, guard.serving(GatewayMethods.IDLE, (caller, _) -> {
                    signals.idle(caller);
                    return new Empty();
                }))
                .method(
                        GatewayMethods.SESSION_REFUSED,
                        guard.serving(GatewayMethods.SESSION_REFUSED, (caller, request) -> {
                            signals.sessionRefused(caller, request.account());
                            return new Empty();
                        }))
                .method(
                        GatewayMethods.REPORT_ACCOUNT,
                        guard.serving(GatewayMethods.REPORT_ACCOUNT, (caller, request) -> {
                            data.reportAccount(caller, request.report());
                            return new Empty();
                        }))
                .method(
                        GatewayMethods.RUNNING_ORDERS,
                        guard.serving(GatewayMethods.RUNNING_ORDERS, signals::runningOrders))
                .method(GatewayMethods.REPORT, guard.serving(GatewayMethods.REPORT, (caller, request) -> {
                    signals.report(caller, request);
                    return new Empty();
                }))
                .method(GatewayMethods.RECORD_SPAN, guard.serving(GatewayMethods.RECORD_SPAN, (caller, span) -> {
                    workerSpans.record(caller, span);
                    return new Empty();
                }))
                .method(GatewayMethods.WARM_UP, (caller, request) -> {
                    warmUp.run(caller, request);
                    return new Empty();
                })
                .method(GatewayMethods.CALL_REMOTE, guard.serving(GatewayMethods.CALL_REMOTE, remote::call))
                .method(GatewayMethods.PREPARE_TRAINING, (caller, _) -> {
                    warmUp.prepareTraining(caller);
                    return new Empty();
                });
    }

    /** The port that it serves. */
    public int port() {
        return server.getPort();
    }

    /** How many polls of workers wait at Temporal. */
    public int parkedPolls() {
        return polls.count();
    }

    /** How many idle pool workers wait for their claim. */
    public int parkedWorkers() {
        return idle.count();
    }

    /**
     * Takes no claims and no new calls, and lets Temporal answer the polls that wait, for at most
     * 5 s; calls that wait for Redis are then interrupted.
     */
    @Override
    public void close() {
        claims.close();
        server.shutdown();
        idle.endAll();
        polls.shutDownAll();
        try {
            if (!server.awaitTermination(GatewayLimits.DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
                server.shutdownNow();
            }
            threads.shutdownNow();
            // What they answer still needs the transport.
            threads.awaitTermination(GatewayLimits.DRAIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            server.shutdownNow();
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
        transport.close();
        upstream.close();
        clock.shutdownNow();
    }
}
