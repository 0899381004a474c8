package dev.berth.aws;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import software.amazon.awscdk.services.ecs.AwsLogDriverProps;
import software.amazon.awscdk.services.ecs.ContainerDefinition;
import software.amazon.awscdk.services.ecs.ContainerDefinitionOptions;
import software.amazon.awscdk.services.ecs.ContainerDependency;
import software.amazon.awscdk.services.ecs.ContainerDependencyCondition;
import software.amazon.awscdk.services.ecs.Ec2TaskDefinition;
import software.amazon.awscdk.services.ecs.LogDriver;
import software.amazon.awscdk.services.ecs.NetworkMode;
import software.amazon.awscdk.services.ecs.Secret;
import software.amazon.awscdk.services.logs.LogGroup;

/** A task that is run once, and may be repeated: roles in PostgreSQL, and Temporal's tables. */
final class SetupTasks {
    private static final int MEBIBYTES = 256;
    /**
     * The first role of RDS is no superuser: it may give a schema only to a role that it is a
     * member of.
     */
    private static final String OWNER = """
            DO $$ BEGIN
                IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'berth_owner') THEN
                    CREATE ROLE berth_owner LOGIN;
                END IF;
            END $$;
            GRANT berth_owner TO CURRENT_USER;
            """;

    private static final String PASSWORDS = """
            ALTER ROLE berth_owner PASSWORD :'owner';
            ALTER ROLE berth_api PASSWORD :'api';
            ALTER ROLE berth_gateway PASSWORD :'gateway';
            """;

    private static final String TEMPORAL = """
            SELECT 'CREATE ROLE temporal LOGIN' WHERE NOT EXISTS
                (SELECT FROM pg_roles WHERE rolname = 'temporal') \\gexec
            GRANT temporal TO CURRENT_USER;
            ALTER ROLE temporal PASSWORD :'temporal';
            SELECT format('CREATE DATABASE %I OWNER temporal', name)
                FROM unnest(ARRAY['temporal', 'temporal_visibility']) name
                WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = name) \\gexec
            """;

    private SetupTasks() {}

    /** The statements, for {@code psql}. */
    static String sql(boolean withTemporal) {
        try (InputStream roles = Objects.requireNonNull(SetupTasks.class.getResourceAsStream("/postgres-roles.sql"))) {
            String all = OWNER + new String(roles.readAllBytes(), StandardCharsets.UTF_8) + PASSWORDS;
            return withTemporal ? all + TEMPORAL : all;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static Ec2TaskDefinition in(ServicesStack stack, Sizes sizes, DataStack data) {
        LogGroup logs = LogGroup.Builder.create(stack, "SetupLogs")
                .logGroupName("/" + sizes.text(Size.NAME) + "/setup")
                .encryptionKey(stack.logKey())
                .retention(LogKey.retention(sizes))
                .build();
        LogDriver log = LogDriver.awsLogs(
                AwsLogDriverProps.builder().logGroup(logs).streamPrefix("setup").build());
        Ec2TaskDefinition definition = Ec2TaskDefinition.Builder.create(stack, "SetupTask")
                .family(sizes.text(Size.NAME) + "-setup")
                .networkMode(NetworkMode.AWS_VPC)
                .executionRole(Permissions.SETUP_START.role(stack, data).withoutPolicyUpdates())
                .build();
        boolean withTemporal = sizes.isTemporalSelfHosted();
        ContainerDefinition roles = definition.addContainer(
                "roles",
                once(stack, "Roles", log)
                        .image(Images.published(stack, sizes, Size.POSTGRES_CLIENT_IMAGE))
                        .essential(!withTemporal)
                        .command(List.of(
                                "printf '%s' \"$SQL\" | psql -v ON_ERROR_STOP=1 -v owner=\"$OWNER\" -v api=\"$API\""
                                        + " -v gateway=\"$GATEWAY\""
                                        + (withTemporal ? " -v temporal=\"$TEMPORAL\"" : "")))
                        .environment(client(data, withTemporal))
                        .secrets(passwords(stack, data, withTemporal))
                        .build());
        if (withTemporal) {
            ContainerDefinition tables = definition.addContainer(
                    "temporal-tables",
                    once(stack, "TemporalTables", log)
                            .image(Images.published(stack, sizes, Size.TEMPORAL_TOOLS_IMAGE))
                            .essential(true)
                            .command(List.of(tables("temporal", "temporal") + " && "
                                    + tables("temporal_visibility", "visibility")))
                            .environment(temporalDatabase(data))
                            .secrets(Map.of("SQL_PASSWORD", data.secretFor(stack, SecretName.POSTGRES_TEMPORAL)))
                            .build());
            tables.addContainerDependencies(ContainerDependency.builder()
                    .container(roles)
                    .condition(ContainerDependencyCondition.SUCCESS)
                    .build());
        }
        return definition;
    }

    private static ContainerDefinitionOptions.Builder once(ServicesStack stack, String id, LogDriver log) {
        return ContainerDefinitionOptions.builder()
                .cpu(0)
                .memoryLimitMiB(MEBIBYTES)
                .entryPoint(List.of("/bin/sh", "-ec"))
                .readonlyRootFilesystem(true)
                .dockerSecurityOptions(List.of("no-new-privileges"))
                .linuxParameters(WorkerContainer.confined(stack, id + "Confinement", 16))
                .logging(log);
    }

    private static Map<String, String> client(DataStack data, boolean withTemporal) {
        return new TreeMap<>(Map.of(
                "PGHOST",
                data.database().getDbInstanceEndpointAddress(),
                "PGPORT",
                Integer.toString(Names.POSTGRES_PORT),
                "PGDATABASE",
                Names.DATABASE,
                "PGUSER",
                "postgres",
                "PGSSLMODE",
                "require",
                "SQL",
                sql(withTemporal)));
    }

    private static Map<String, Secret> passwords(ServicesStack stack, DataStack data, boolean withTemporal) {
        Map<String, Secret> passwords = new LinkedHashMap<>();
        passwords.put("PGPASSWORD", data.secretFor(stack, SecretName.POSTGRES_SUPERUSER));
        passwords.put("OWNER", data.secretFor(stack, SecretName.POSTGRES_OWNER));
        passwords.put("API", data.secretFor(stack, SecretName.POSTGRES_API));
        passwords.put("GATEWAY", data.secretFor(stack, SecretName.POSTGRES_GATEWAY));
        if (withTemporal) {
            passwords.put("TEMPORAL", data.secretFor(stack, SecretName.POSTGRES_TEMPORAL));
        }
        return passwords;
    }

    /** The tool knows which version the tables have. */
    private static String tables(String database, String schema) {
        String tool =
                "temporal-sql-tool --plugin postgres12 --ep \"$POSTGRES_SEEDS\" -p \"$DB_PORT\" -u \"$POSTGRES_USER\""
                        + " --tls --db " + database;
        return "(" + tool + " setup-schema -v 0.0 || true) && " + tool + " update-schema --schema-name postgresql/v12/"
                + schema;
    }

    /** The environment from which Temporal's images read their database. */
    static Map<String, String> temporalDatabase(DataStack data) {
        return new TreeMap<>(Map.of(
                "DB", "postgres12",
                "POSTGRES_SEEDS", data.database().getDbInstanceEndpointAddress(),
                "DB_PORT", Integer.toString(Names.POSTGRES_PORT),
                "POSTGRES_USER", "temporal",
                "DBNAME", "temporal",
                "VISIBILITY_DBNAME", "temporal_visibility"));
    }
}
