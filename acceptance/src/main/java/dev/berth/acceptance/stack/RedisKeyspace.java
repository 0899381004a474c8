package dev.berth.acceptance.stack;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** The keys of the stack's Redis. Faults end connections, so every command opens its own. */
public record RedisKeyspace(int port) {
    /** A frozen Redis still accepts connections; a new process on a busy machine takes seconds. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final Set<Object> DATA = Set.of("key", "channel");
    /** Has daemon threads alone, so that a program ends without closing it. */
    private static final RedisClient CLIENT = client();

    public static RedisKeyspace of(Stack stack) {
        return new RedisKeyspace(stack.port("REDIS", 16379));
    }

    /** A command that a kill interrupts fails, and is not sent again. */
    private static RedisClient client() {
        RedisClient client = RedisClient.create();
        client.setOptions(ClientOptions.builder().autoReconnect(false).build());
        return client;
    }

    /** The value; empty without the key. */
    public String get(String key) throws IOException {
        return Objects.requireNonNullElse(call(redis -> redis.get(key)), "");
    }

    /** Milliseconds; -1 without a time to live, -2 without the key. */
    public long timeToLive(String key) throws IOException {
        return call(redis -> redis.pttl(key));
    }

    public Map<String, String> hash(String key) throws IOException {
        return call(redis -> redis.hgetall(key));
    }

    /** Task ids of the idle pool workers. */
    public List<String> idlePoolWorkers() throws IOException {
        return sorted("pool:idle");
    }

    /** The size of a sorted set; 0 without the key. */
    public long size(String key) throws IOException {
        return call(redis -> redis.zcard(key));
    }

    /** The members of a sorted set, lowest first. */
    public List<String> sorted(String key) throws IOException {
        return call(redis -> redis.zrange(key, 0, -1));
    }

    /** Adds a member to a sorted set. */
    public void add(String key, long score, String member) throws IOException {
        call(redis -> redis.zadd(key, (double) score, member));
    }

    public void delete(String... keys) throws IOException {
        call(redis -> redis.del(keys));
    }

    public void deleteField(String key, String field) throws IOException {
        call(redis -> redis.hdel(key, field));
    }

    /** Sets keys at once, without a time to live. */
    public void set(Map<String, String> values) throws IOException {
        call(redis -> redis.mset(values));
    }

    /** Sets fields of a hash. */
    public void set(String key, Map<String, String> fields) throws IOException {
        call(redis -> redis.hset(key, fields));
    }

    /** Commands of all clients since the start. */
    public long commandsProcessed() throws IOException {
        return info("stats", "total_commands_processed");
    }

    /** A replica of a server that does not exist keeps its data and refuses to write. */
    public void setReplica(boolean replica) throws IOException {
        call(redis -> replica ? redis.replicaof("127.0.0.1", 1) : redis.replicaofNoOne());
    }

    /** Keys and channels that a login was refused, since the start. */
    public List<String> refusals() throws IOException {
        return call(RedisCommands::aclLog).stream()
                .filter(entry -> DATA.contains(entry.get("reason")))
                .map(entry -> String.valueOf(entry.get("object")))
                .toList();
    }

    /** In the first minute a missing key proves no death. */
    public Duration uptime() throws IOException {
        return Duration.ofSeconds(info("server", "uptime_in_seconds"));
    }

    private long info(String section, String field) throws IOException {
        return call(redis -> redis.info(section))
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /** Simulates a loss of data. */
    public void forgetEverything() throws IOException {
        call(RedisCommands::flushall);
    }

    /** @throws IOException when Redis is down, frozen, or refuses the command */
    private <T> T call(Function<RedisCommands<String, String>, T> command) throws IOException {
        RedisURI server = RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(port)
                .withTimeout(TIMEOUT)
                .build();
        try (StatefulRedisConnection<String, String> connection = CLIENT.connect(server)) {
            return command.apply(connection.sync());
        } catch (RedisException unavailable) {
            Throwable cause = unavailable.getCause();
            throw new IOException(cause == null ? unavailable.getMessage() : unavailable + "; " + cause, unavailable);
        }
    }
}
