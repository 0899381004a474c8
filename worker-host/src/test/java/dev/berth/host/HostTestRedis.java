package dev.berth.host;

import dev.berth.routing.TestRedis;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.masscancel.MassCancel;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.OrderHold;
import dev.berth.workflows.risk.RiskSentinel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A real Redis, loaded before each test of a class. */
public final class HostTestRedis extends TestRedis {
    /** Loads Redis as the API does: these kill switches are on, without limits or holds. */
    public void load(KillSwitch... on) {
        Map<String, String> switches = Arrays.stream(on).collect(Collectors.toMap(KillSwitch::name, Json::write));
        commands().del(RedisKeys.KILL_SWITCH, RedisKeys.RISK_LIMITS);
        switches.forEach((name, json) -> commands().hset(RedisKeys.KILL_SWITCH, name, json));
        commands().set(RedisKeys.FLEET_LOADED, RiskSentinel.of(1, switches).toString());
        hold();
    }

    /** Suspends these users, or {@link OrderHold#EVERYBODY}, and resumes all others. */
    public void hold(String... names) {
        Map<String, Long> suspended = Arrays.stream(names).collect(Collectors.toMap(name -> name, _ -> 1L));
        replaceHolds(OrderHold.fields(1, suspended, Map.of()));
    }

    /** Puts this mass cancel in effect, and nothing else. */
    public void cancel(MassCancel request) {
        replaceHolds(OrderHold.fields(1, Map.of(), Map.of(request.name(), List.of(request))));
    }

    private void replaceHolds(Map<String, String> fields) {
        commands().del(RedisKeys.HOLDS);
        commands().hset(RedisKeys.HOLDS, fields);
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        super.beforeEach(test);
        load();
    }
}
