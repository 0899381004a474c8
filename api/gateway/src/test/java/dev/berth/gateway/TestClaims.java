package dev.berth.gateway;

import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.ClaimMessage;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Gives a gateway the claims that a test sends. */
final class TestClaims implements ClaimSource {
    final Map<UserGroup, Consumer<ClaimMessage>> read = new ConcurrentHashMap<>();
    volatile boolean isClosed;

    @Override
    public void read(UserGroup group, Consumer<ClaimMessage> gateway) {
        read.put(group, gateway);
    }

    void send(UserId userId, long epoch, String reservedTask) {
        Objects.requireNonNull(read.get(UserGroup.DEFAULT))
                .accept(new ClaimMessage(userId, epoch, reservedTask, Instant.now()));
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
