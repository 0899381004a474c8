package dev.berth.api;

import dev.berth.activities.broker.AccountStore;
import dev.berth.activities.broker.CredentialEnvelope;
import dev.berth.activities.broker.StoredCredentials;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.OrdersInAttention;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.activities.order.SubmissionRead;
import dev.berth.activities.pool.EcsPoolTasks;
import dev.berth.activities.pool.SqsPoolClaims;
import dev.berth.activities.worker.EcsWorkerTasks;
import dev.berth.activities.worker.LaunchHealth;
import dev.berth.activities.worker.PostgresFleetSwitches;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.activities.worker.RedisWorkerMarks;
import dev.berth.activities.worker.TaskLaunch;
import dev.berth.activities.worker.TemporalWorkerRequests;
import dev.berth.activities.worker.WorkerTaskRequests;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The adapters, each given what it talks to. Endpoints of AWS come from the SDK's own settings. */
@Configuration
class Adapters {
    private static final Logger LOG = LoggerFactory.getLogger(Adapters.class);

    /** Lettuce's own delay grows to 30 s; a worker's mark would run out meanwhile. */
    private static final Duration REDIS_RECONNECT = Duration.ofSeconds(1);

    private static final Duration REDIS_ANSWER = Duration.ofSeconds(2);

    /** Without a sign of life for so long it is taken for gone. */
    private static final Duration REDIS_VANISHED = Duration.ofSeconds(10);

    @Bean(destroyMethod = "shutdown")
    ClientResources redisResources() {
        return ClientResources.builder()
                .reconnectDelay(Delay.constant(REDIS_RECONNECT))
                .build();
    }

    @Bean(destroyMethod = "shutdown")
    RedisClient redisClient(ClientResources resources, BerthSettings settings) {
        RedisClient client = RedisClient.create(resources, settings.redisUri().toString());
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(REDIS_ANSWER))
                .socketOptions(noticingItsEnd())
                .build());
        return client;
    }

    /**
     * A host that vanishes says nothing. The system would go on sending to it for a quarter of an hour, and listen to it
     * for two; the first limit needs Linux.
     */
    private static SocketOptions noticingItsEnd() {
        return SocketOptions.builder()
                .tcpUserTimeout(TcpUserTimeoutOptions.builder()
                        .enable()
                        .tcpUserTimeout(REDIS_VANISHED)
                        .build())
                .keepAlive(KeepAliveOptions.builder()
                        .enable()
                        .idle(REDIS_VANISHED.dividedBy(2))
                        .interval(REDIS_RECONNECT)
                        .count(3)
                        .build())
                .build();
    }

    @Bean(destroyMethod = "close")
    StatefulRedisConnection<String, String> redis(RedisClient client) {
        return client.connect();
    }

    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }

    @Bean
    EcsClient ecs() {
        return EcsClient.create();
    }

    @Bean
    SqsClient sqs() {
        return SqsClient.create();
    }

    @Bean
    WorkerTaskRequests workerTaskRequests(BerthSettings settings) {
        return new WorkerTaskRequests(settings.ecs().cluster(), settings.ecs().taskDefinition());
    }

    @Bean
    static BeanPostProcessor postgresConnections() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof DataSource pool ? new PostgresConnections(pool) : bean;
            }
        };
    }

    @Bean
    OrderReadModel orderReadModel(JdbcTemplate postgres) {
        return new OrderReadModel(postgres);
    }

    @Bean
    OrdersInAttention ordersInAttention(JdbcTemplate postgres) {
        return new OrdersInAttention(postgres);
    }

    @Bean
    PostgresOrderRecords orderRecords(
            JdbcTemplate postgres,
            PlatformTransactionManager transactions,
            StatefulRedisConnection<String, String> redis) {
        return new PostgresOrderRecords(postgres, new TransactionTemplate(transactions), redis.sync());
    }

    @Bean
    TemporalWorkerRequests workerRequests(WorkflowClient temporal, StatefulRedisConnection<String, String> redis) {
        return new TemporalWorkerRequests(temporal, redis.sync());
    }

    @Bean
    RedisOutages redisOutages(StatefulRedisConnection<String, String> redis) {
        RedisOutages outages = new RedisOutages();
        redis.addListener(outages);
        return outages;
    }

    @Bean
    RedisWorkerMarks workerMarks(StatefulRedisConnection<String, String> redis, RedisOutages outages) {
        return new RedisWorkerMarks(redis.sync(), outages);
    }

    @Bean
    PostgresFleetSwitches fleetSwitches(JdbcTemplate postgres) {
        return new PostgresFleetSwitches(postgres);
    }

    @Bean
    LaunchHealth launchHealth(StatefulRedisConnection<String, String> redis, BerthSettings settings) {
        return new LaunchHealth(redis.sync(), settings.launch().heldFor(), InstantSource.system());
    }

    @Bean
    TaskLaunch taskLaunch(EcsClient ecs, LaunchHealth health) {
        return new TaskLaunch(ecs, health);
    }

    @Bean
    EcsWorkerTasks workerTasks(EcsClient ecs, WorkerTaskRequests requests, TaskLaunch launch) {
        return new EcsWorkerTasks(ecs, requests, launch, InstantSource.system());
    }

    @Bean
    SqsPoolClaims poolClaims(StatefulRedisConnection<String, String> redis, SqsClient sqs, BerthSettings settings) {
        String queue = settings.sqs().poolClaim();
        String url = sqs.getQueueUrl(request -> request.queueName(queue)).queueUrl();
        return new SqsPoolClaims(redis.sync(), sqs, url);
    }

    @Bean
    EcsPoolTasks poolTasks(
            EcsClient ecs,
            StatefulRedisConnection<String, String> redis,
            RedisOutages outages,
            WorkerTaskRequests requests,
            TaskLaunch launch) {
        return new EcsPoolTasks(ecs, redis.sync(), outages, requests, launch, InstantSource.system());
    }

    @Bean
    AccountStore accountStore(JdbcTemplate postgres, BerthSettings settings) {
        return new AccountStore(postgres, settings.accounts().paperDefault());
    }

    @Bean
    SubmissionRead submissionRead(JdbcTemplate postgres, AccountStore accounts) {
        return new SubmissionRead(postgres, accounts);
    }

    /** A key file that can not be used fails the start; a KMS that is away does not, it may come back. */
    @Bean
    StoredCredentials accountCredentials(AccountStore accounts, BerthSettings settings) {
        CredentialEnvelope envelope = new CredentialEnvelope(WrappingKeys.of(settings.accounts()));
        StoredCredentials credentials = new StoredCredentials(accounts, envelope);
        Thread.ofVirtual().name("accounts-key").start(() -> tryOut(credentials));
        return credentials;
    }

    private static void tryOut(StoredCredentials credentials) {
        try {
            credentials.tryOut();
        } catch (RuntimeException away) {
            LOG.warn("stored credentials can not be opened now: {}", away.getMessage());
        }
    }
}
