package dev.berth.rest.fleet;

import io.lettuce.core.RedisException;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Collects what servers know. A server that does not answer is named, and not asked again. */
final class PartialAnswer {
    static final String POSTGRESQL = "postgresql";
    static final String REDIS = "redis";

    private static final Logger LOG = LoggerFactory.getLogger(PartialAnswer.class);

    private final Set<String> missing = new TreeSet<>();

    /** The servers that did not answer, also those of later reads. */
    Set<String> missing() {
        return Collections.unmodifiableSet(missing);
    }

    /** The server did not answer already. */
    void without(String server) {
        missing.add(server);
    }

    /** What the server knows; null when it does not answer. */
    <T> @Nullable T read(String server, Supplier<T> read) {
        if (missing.contains(server)) {
            return null;
        }
        try {
            return read.get();
        } catch (RedisException | DataAccessException | TransactionException unavailable) {
            LOG.warn("an answer is incomplete, {} does not answer: {}", server, unavailable.getMessage());
            missing.add(server);
            return null;
        }
    }
}
