package dev.berth.rest.risk;

import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.risk.RiskView;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Looks at kill switches and limits as admission does, and admits nothing. */
@Component
public class RiskLook {
    private static final String LOOK = RiskView.LUA + "return risk()";

    private final RedisCommands<String, String> redis;

    RiskLook(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    /**
     * What speaks against the order now; empty when nothing does.
     *
     * @throws IllegalStateException when switches and limits are being loaded
     */
    public Optional<Reason> objection(OrderRequest order) {
        List<Object> answer = redis.eval(
                LOOK,
                ScriptOutputType.MULTI,
                RiskView.keys(order).toArray(String[]::new),
                RiskView.arguments(order).toArray(String[]::new));
        return RiskView.of(answer)
                .orElseThrow(() -> new IllegalStateException("kill switches and limits are being loaded"))
                .objection(order, OrderTerms.of(order));
    }
}
