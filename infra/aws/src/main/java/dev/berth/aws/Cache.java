package dev.berth.aws;

import dev.berth.aws.NetworkStack.Zone;
import dev.berth.workflows.deployment.RedisLogin;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.services.ec2.ISubnet;
import software.amazon.awscdk.services.elasticache.CfnParameterGroup;
import software.amazon.awscdk.services.elasticache.CfnReplicationGroup;
import software.amazon.awscdk.services.elasticache.CfnSubnetGroup;
import software.amazon.awscdk.services.elasticache.CfnUser;
import software.amazon.awscdk.services.elasticache.CfnUserGroup;
import software.amazon.awscdk.services.kms.Key;
import software.amazon.awscdk.services.secretsmanager.Secret;
import software.constructs.Construct;

/**
 * Valkey, one shard: scripts touch keys of several users, which cluster mode refuses. Its primary's
 * name follows a failover.
 *
 * @param host of the primary
 * @param group its id, for alarms
 */
record Cache(String host, String group) {
    private static final String ENGINE = "valkey";

    static Cache in(Construct scope, Sizes sizes, NetworkStack network, Key key, Map<SecretName, Secret> secrets) {
        CfnSubnetGroup subnets = CfnSubnetGroup.Builder.create(scope, "CacheSubnets")
                .description("zones of Valkey")
                .subnetIds(network.vpc().getIsolatedSubnets().stream()
                        .map(ISubnet::getSubnetId)
                        .toList())
                .build();
        // Without it a client could come in by its name.
        CfnUser unnamed = user(scope, sizes, "default", "off -@all");
        CfnUser api =
                user(scope, sizes, RedisLogin.API.user(), RedisLogin.API.rules(), secrets.get(SecretName.REDIS_API));
        CfnUser gateway = user(
                scope,
                sizes,
                RedisLogin.GATEWAY.user(),
                RedisLogin.GATEWAY.rules(),
                secrets.get(SecretName.REDIS_GATEWAY));
        CfnUserGroup users = CfnUserGroup.Builder.create(scope, "CacheUsers")
                .engine(ENGINE)
                .userGroupId(sizes.text(Size.NAME))
                .userIds(List.of(unnamed.getRef(), api.getRef(), gateway.getRef()))
                .build();
        // By default a full cache evicts keys, epochs and switches among them.
        CfnParameterGroup parameters = CfnParameterGroup.Builder.create(scope, "CacheParameters")
                .cacheParameterGroupFamily(ENGINE + "8")
                .description("evicts no key")
                .properties(Map.of("maxmemory-policy", "noeviction"))
                .build();
        CfnReplicationGroup group = CfnReplicationGroup.Builder.create(scope, "Cache")
                .replicationGroupDescription("heartbeats, epochs, admission")
                .engine(ENGINE)
                .engineVersion("8.0")
                .cacheParameterGroupName(parameters.getRef())
                .cacheNodeType(sizes.text(Size.CACHE))
                .numNodeGroups(1)
                .replicasPerNodeGroup(1)
                .clusterMode("disabled")
                .automaticFailoverEnabled(true)
                .multiAzEnabled(true)
                .transitEncryptionEnabled(true)
                .transitEncryptionMode("required")
                .atRestEncryptionEnabled(true)
                .kmsKeyId(key.getKeyArn())
                .port(Names.REDIS_PORT)
                .cacheSubnetGroupName(subnets.getRef())
                .securityGroupIds(List.of(network.groupFor(scope, Zone.CACHE).getSecurityGroupId()))
                .userGroupIds(List.of(users.getRef()))
                // Epochs only ever rise: after the loss of both nodes an operator may want them.
                .snapshotRetentionLimit(7)
                .autoMinorVersionUpgrade(true)
                .build();
        return new Cache(group.getAttrPrimaryEndPointAddress(), group.getRef());
    }

    private static CfnUser user(Construct scope, Sizes sizes, String name, String access) {
        return builder(scope, sizes, name, access).noPasswordRequired(true).build();
    }

    private static CfnUser user(Construct scope, Sizes sizes, String name, String access, @Nullable Secret password) {
        return builder(scope, sizes, name, access)
                .passwords(List.of(
                        Objects.requireNonNull(password).getSecretValue().unsafeUnwrap()))
                .build();
    }

    private static CfnUser.Builder builder(Construct scope, Sizes sizes, String name, String access) {
        return CfnUser.Builder.create(scope, Templates.camel(name) + "CacheUser")
                .engine(ENGINE)
                .userId(sizes.text(Size.NAME) + "-" + name)
                .userName(name)
                .accessString(access);
    }
}
