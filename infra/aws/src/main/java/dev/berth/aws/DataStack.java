package dev.berth.aws;

import dev.berth.aws.NetworkStack.Zone;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.deployment.QueueLimits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.services.ec2.InstanceType;
import software.amazon.awscdk.services.ec2.SubnetSelection;
import software.amazon.awscdk.services.ec2.SubnetType;
import software.amazon.awscdk.services.ecr.IRepository;
import software.amazon.awscdk.services.ecr.Repository;
import software.amazon.awscdk.services.ecr.RepositoryAttributes;
import software.amazon.awscdk.services.ecr.RepositoryEncryption;
import software.amazon.awscdk.services.ecr.TagMutability;
import software.amazon.awscdk.services.events.EventPattern;
import software.amazon.awscdk.services.events.Rule;
import software.amazon.awscdk.services.events.targets.SqsQueue;
import software.amazon.awscdk.services.kms.Key;
import software.amazon.awscdk.services.rds.CaCertificate;
import software.amazon.awscdk.services.rds.Credentials;
import software.amazon.awscdk.services.rds.DatabaseInstance;
import software.amazon.awscdk.services.rds.DatabaseInstanceEngine;
import software.amazon.awscdk.services.rds.ParameterGroup;
import software.amazon.awscdk.services.rds.PostgresEngineVersion;
import software.amazon.awscdk.services.rds.PostgresInstanceEngineProps;
import software.amazon.awscdk.services.rds.StorageType;
import software.amazon.awscdk.services.secretsmanager.ISecret;
import software.amazon.awscdk.services.secretsmanager.Secret;
import software.amazon.awscdk.services.secretsmanager.SecretStringGenerator;
import software.amazon.awscdk.services.sqs.DeadLetterQueue;
import software.amazon.awscdk.services.sqs.Queue;
import software.amazon.awscdk.services.sqs.QueueEncryption;
import software.constructs.Construct;

/** What must outlive every deploy: PostgreSQL, Valkey, queues, keys, secrets, images. */
final class DataStack extends Stack {
    /** What failed for good is kept this long. */
    private static final Duration FAILED_KEPT = Duration.days(14);

    private static final int EVENT_ATTEMPTS = 3;
    /**
     * The most that SQS allows: a claim that is received again and again tells that Redis is
     * unavailable, and not that the message is bad. It is void after 2 s, and gone after 5 min.
     */
    private static final int CLAIM_RECEIPTS = 1_000;

    private final String name;
    private final Map<UserGroup, String> workerFamilies = new LinkedHashMap<>();
    private final Key dataKey;
    private final Key credentialsKey;
    private final List<Queue> poolClaims;
    private final Queue taskEvents;
    private final List<Queue> failed;
    private final DatabaseInstance database;
    private final Cache cache;
    private final Map<SecretName, Secret> secrets = new LinkedHashMap<>();
    private final Repository apiImages;
    private final Repository workerImages;

    DataStack(Construct scope, String id, StackProps props, Sizes sizes, NetworkStack network) {
        super(scope, id, props);
        this.name = sizes.text(Size.NAME);
        for (UserGroup group : sizes.userGroups()) {
            workerFamilies.put(group, sizes.own(Names.of(group, Names.ECS.taskDefinition())));
        }
        this.dataKey = key("DataKey", "what Berth stores");
        this.credentialsKey = key("CredentialsKey", "wraps the data keys of broker credentials");
        Queue failedClaims = failedQueue(sizes, Names.SQS.poolClaim());
        Queue failedEvents = failedQueue(sizes, Names.SQS.taskEvents());
        this.failed = List.of(failedClaims, failedEvents);
        this.poolClaims = sizes.userGroups().stream()
                .map(group -> Names.of(group, Names.SQS.poolClaim()))
                .map(name -> queue(sizes, name, QueueLimits.POOL_CLAIM, failedClaims, CLAIM_RECEIPTS))
                .toList();
        this.taskEvents = queue(sizes, Names.SQS.taskEvents(), QueueLimits.TASK_EVENTS, failedEvents, EVENT_ATTEMPTS);
        stoppedTasks(sizes);
        for (SecretName name : SecretName.values()) {
            secrets.put(name, secret(sizes, name));
        }
        this.database = database(sizes, network);
        this.cache = Cache.in(this, sizes, network, dataKey, secrets);
        this.apiImages = repository(sizes, "api");
        this.workerImages = repository(sizes, "worker");
    }

    private Key key(String id, String purpose) {
        return Key.Builder.create(this, id)
                .description(purpose)
                .enableKeyRotation(true)
                .removalPolicy(RemovalPolicy.RETAIN)
                .build();
    }

    private Queue queue(Sizes sizes, String name, QueueLimits limits, Queue failed, int receipts) {
        return Queue.Builder.create(this, Templates.camel(name))
                .queueName(sizes.own(name))
                .visibilityTimeout(Duration.seconds(limits.visibility().toSeconds()))
                .retentionPeriod(Duration.seconds(limits.retention().toSeconds()))
                .encryption(QueueEncryption.SQS_MANAGED)
                .enforceSsl(true)
                .deadLetterQueue(DeadLetterQueue.builder()
                        .queue(failed)
                        .maxReceiveCount(receipts)
                        .build())
                .build();
    }

    private Queue failedQueue(Sizes sizes, String name) {
        return Queue.Builder.create(this, Templates.camel(name) + "Failed")
                .queueName(sizes.own(name) + "-failed")
                .retentionPeriod(FAILED_KEPT)
                .encryption(QueueEncryption.SQS_MANAGED)
                .enforceSsl(true)
                .build();
    }

    /** Only stopped workers: the orchestrator reads no other event. */
    private void stoppedTasks(Sizes sizes) {
        Rule.Builder.create(this, "StoppedWorkers")
                .description("stopped worker tasks to " + Names.SQS.taskEvents())
                .eventPattern(EventPattern.builder()
                        .source(List.of("aws.ecs"))
                        .detailType(List.of("ECS Task State Change"))
                        .detail(Map.of(
                                "clusterArn", List.of(ClusterStack.clusterArn(this, sizes)),
                                "group",
                                        workerFamilies.values().stream()
                                                .map(family -> "family:" + family)
                                                .toList(),
                                "lastStatus", List.of("STOPPED")))
                        .build())
                .targets(List.of(SqsQueue.Builder.create(taskEvents)
                        .deadLetterQueue(failed.getLast())
                        .build()))
                .build();
    }

    private Secret secret(Sizes sizes, SecretName name) {
        Secret.Builder secret = Secret.Builder.create(this, Templates.camel(name.name()))
                .secretName(sizes.text(Size.NAME) + "/" + name.key())
                .description(name.meaning())
                .encryptionKey(dataKey)
                .removalPolicy(RemovalPolicy.RETAIN);
        if (name.isGenerated()) {
            secret.generateSecretString(SecretStringGenerator.builder()
                    .passwordLength(40)
                    // Stands in a URI.
                    .excludePunctuation(true)
                    .build());
        }
        return secret.build();
    }

    private DatabaseInstance database(Sizes sizes, NetworkStack network) {
        var engine = DatabaseInstanceEngine.postgres(PostgresInstanceEngineProps.builder()
                .version(PostgresEngineVersion.VER_17_6)
                .build());
        return DatabaseInstance.Builder.create(this, "Database")
                .engine(engine)
                .instanceType(new InstanceType(sizes.text(Size.DATABASE)))
                .vpc(network.vpc())
                .vpcSubnets(SubnetSelection.builder()
                        .subnetType(SubnetType.PRIVATE_ISOLATED)
                        .build())
                .securityGroups(List.of(network.groupFor(this, Zone.DATABASE)))
                .port(Names.POSTGRES_PORT)
                .databaseName(Names.DATABASE)
                .credentials(Credentials.fromPassword(
                        "postgres",
                        Objects.requireNonNull(secrets.get(SecretName.POSTGRES_SUPERUSER))
                                .getSecretValue()))
                .parameterGroup(ParameterGroup.Builder.create(this, "DatabaseParameters")
                        .engine(engine)
                        .parameters(Map.of("rds.force_ssl", "1"))
                        .build())
                .caCertificate(CaCertificate.RDS_CA_RSA2048_G1)
                .multiAz(true)
                .storageType(StorageType.GP3)
                .allocatedStorage(sizes.number(Size.DATABASE_GIB))
                .maxAllocatedStorage(10 * sizes.number(Size.DATABASE_GIB))
                .storageEncrypted(true)
                .storageEncryptionKey(dataKey)
                .backupRetention(Duration.days(sizes.number(Size.DATABASE_BACKUP_DAYS)))
                .copyTagsToSnapshot(true)
                .deletionProtection(true)
                .removalPolicy(RemovalPolicy.SNAPSHOT)
                .autoMinorVersionUpgrade(true)
                .cloudwatchLogsExports(List.of("postgresql"))
                .build();
    }

    private Repository repository(Sizes sizes, String name) {
        return Repository.Builder.create(this, Templates.camel(name) + "Images")
                .repositoryName(sizes.text(Size.NAME) + "/" + name)
                .imageTagMutability(TagMutability.IMMUTABLE)
                .imageScanOnPush(true)
                .encryption(RepositoryEncryption.KMS)
                .encryptionKey(dataKey)
                .removalPolicy(RemovalPolicy.RETAIN)
                .build();
    }

    /** The first part of every name. */
    String name() {
        return name;
    }

    /** The family of the task definition of a group's workers. */
    String workerFamily(UserGroup group) {
        return Objects.requireNonNull(workerFamilies.get(group));
    }

    /** The task definition families of all groups' workers. */
    List<String> workerFamilies() {
        return List.copyOf(workerFamilies.values());
    }

    Key dataKey() {
        return dataKey;
    }

    Key credentialsKey() {
        return credentialsKey;
    }

    /** The claim queues of all groups. */
    List<String> poolClaimArns() {
        return poolClaims.stream().map(Queue::getQueueArn).toList();
    }

    Queue taskEvents() {
        return taskEvents;
    }

    List<Queue> failed() {
        return failed;
    }

    DatabaseInstance database() {
        return database;
    }

    Cache cache() {
        return cache;
    }

    String secretArn(SecretName name) {
        return Objects.requireNonNull(secrets.get(name)).getSecretArn();
    }

    /** For a container of another stack: what that stack grants, it grants itself. */
    software.amazon.awscdk.services.ecs.Secret secretFor(Stack stack, SecretName name) {
        String id = Templates.camel(name.name()) + "Secret";
        ISecret known = (ISecret) stack.getNode().tryFindChild(id);
        return software.amazon.awscdk.services.ecs.Secret.fromSecretsManager(
                known != null ? known : Secret.fromSecretCompleteArn(stack, id, secretArn(name)));
    }

    /** As {@link #secretFor}. */
    IRepository imagesFor(Stack stack, String name) {
        Repository own = name.equals("worker") ? workerImages : apiImages;
        String id = Templates.camel(name) + "Repository";
        IRepository known = (IRepository) stack.getNode().tryFindChild(id);
        return known != null
                ? known
                : Repository.fromRepositoryAttributes(
                        stack,
                        id,
                        RepositoryAttributes.builder()
                                .repositoryArn(own.getRepositoryArn())
                                .repositoryName(own.getRepositoryName())
                                .build());
    }
}
