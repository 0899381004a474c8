package dev.berth.gateway;

import dev.berth.workflows.UserGroup;
import dev.berth.workflows.pool.ClaimMessage;
import java.util.function.Consumer;

/** Where a gateway gets the claims of pool workers from. */
public interface ClaimSource extends AutoCloseable {
    /**
     * Begins to read the claims of a group's users, and does not block; no effect when they are
     * read already.
     *
     * @param gateway takes each claim; one for which it throws comes again
     */
    void read(UserGroup group, Consumer<ClaimMessage> gateway);

    /** Takes no more claims; one that is just being received still goes to the gateway. */
    @Override
    void close();
}
