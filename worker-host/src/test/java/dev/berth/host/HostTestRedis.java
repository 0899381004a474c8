package dev.berth.host;

import dev.berth.activities.TestRedis;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.RiskSentinel;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;

/** A real Redis, loaded before each test of a class, and a worker's client of it. */
public final class HostTestRedis extends TestRedis {
    private final UnifiedJedis jedis = RedisClient.create(uri());

    /** Loads Redis as the API does: these kill switches are on, without limits. */
    public void load(KillSwitch... on) {
        Map<String, String> switches = Arrays.stream(on).collect(Collectors.toMap(KillSwitch::name, Json::write));
        jedis.del(RedisKeys.KILL_SWITCH, RedisKeys.RISK_LIMITS);
        switches.forEach((name, json) -> jedis.hset(RedisKeys.KILL_SWITCH, name, json));
        jedis.set(RedisKeys.FLEET_LOADED, RiskSentinel.of(1, switches).toString());
    }

    public UnifiedJedis jedis() {
        return jedis;
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        super.beforeEach(test);
        load();
    }

    @Override
    public void close() {
        jedis.close();
        super.close();
    }
}
