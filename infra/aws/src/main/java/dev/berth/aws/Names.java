package dev.berth.aws;

import dev.berth.process.settings.BerthSettings;
import dev.berth.process.settings.GatewayOptions;
import dev.berth.process.settings.GroupOptions;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.pool.PoolNames;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The names and ports that the application has by default, as its own settings give them. */
final class Names {
    private static final Binder NOTHING_SET = new Binder(new MapConfigurationPropertySource(Map.of()));

    static final BerthSettings.Ecs ECS = standard("berth.ecs", BerthSettings.Ecs.class);
    static final BerthSettings.Sqs SQS = standard("berth.sqs", BerthSettings.Sqs.class);
    static final GroupOptions GROUP = standard("berth.groups.any", GroupOptions.class);
    static final int GATEWAY_PORT =
            standard("berth.gateway", GatewayOptions.class).port();

    /** Ports as on the local stack, see {@code docs/settings.md}. */
    static final int API_PORT = 8080;

    /** Health and metrics, {@code management.server.port} of {@code application.yml}. */
    static final int MANAGEMENT_PORT = 8081;

    static final int POSTGRES_PORT = 15_432;
    static final int REDIS_PORT = 16_379;
    static final int TEMPORAL_PORT = 7233;

    /** The database; its roles are those of {@code postgres-roles.sql}. */
    static final String DATABASE = "berth";

    private Names() {}

    /** What a group has of its own, as its claim queue is named after the default group's. */
    static String of(UserGroup group, String standard) {
        return PoolNames.claimQueue(standard, group);
    }

    private static <T> T standard(String prefix, Class<T> type) {
        return NOTHING_SET.bindOrCreate(prefix, Bindable.of(type));
    }
}
