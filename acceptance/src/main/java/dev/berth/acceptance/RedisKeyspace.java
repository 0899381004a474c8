package dev.berth.acceptance;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A minimal Redis client. */
public record RedisKeyspace(int port) {
    /** A frozen Redis still accepts connections. */
    private static final int TIMEOUT_MILLIS = 5_000;

    public static RedisKeyspace of(Stack stack) {
        return new RedisKeyspace(stack.port("REDIS", 16379));
    }

    /** The value; empty without the key. */
    public String get(String key) throws IOException {
        return send("GET", key).getFirst();
    }

    /** Milliseconds; -1 without a time to live, -2 without the key. */
    public long timeToLive(String key) throws IOException {
        return Long.parseLong(send("PTTL", key).getFirst());
    }

    public Map<String, String> hash(String key) throws IOException {
        List<String> flat = send("HGETALL", key);
        Map<String, String> hash = new LinkedHashMap<>();
        for (int index = 0; index + 1 < flat.size(); index += 2) {
            hash.put(flat.get(index), flat.get(index + 1));
        }
        return hash;
    }

    /** Task ids of the idle pool workers. */
    public List<String> idlePoolWorkers() throws IOException {
        return send("ZRANGE", "pool:idle", "0", "-1");
    }

    /** The size of a sorted set; 0 without the key. */
    public long size(String key) throws IOException {
        return Long.parseLong(send("ZCARD", key).getFirst());
    }

    /** The members of a sorted set, lowest first. */
    public List<String> sorted(String key) throws IOException {
        return send("ZRANGE", key, "0", "-1");
    }

    /** Adds a member to a sorted set. */
    public void add(String key, long score, String member) throws IOException {
        send("ZADD", key, Long.toString(score), member);
    }

    public void delete(String... keys) throws IOException {
        send(command("DEL", List.of(keys)));
    }

    public void deleteField(String key, String field) throws IOException {
        send("HDEL", key, field);
    }

    /** Sets keys at once, without a time to live. */
    public void set(Map<String, String> values) throws IOException {
        send(command("MSET", flat(values)));
    }

    /** Sets fields of a hash. */
    public void set(String key, Map<String, String> fields) throws IOException {
        send(command(
                "HSET", Stream.concat(Stream.of(key), flat(fields).stream()).toList()));
    }

    /** Commands of all clients since the start. */
    public long commandsProcessed() throws IOException {
        return info("stats", "total_commands_processed");
    }

    /** A replica of a server that does not exist keeps its data and refuses to write. */
    public void setReplica(boolean replica) throws IOException {
        if (replica) {
            send("REPLICAOF", "127.0.0.1", "1");
        } else {
            send("REPLICAOF", "NO", "ONE");
        }
    }

    /** Keys and channels that a login was refused, since the start. */
    public List<String> refusals() throws IOException {
        List<String> log = send("ACL", "LOG");
        List<String> refused = new ArrayList<>();
        for (int index = 0; index + 5 < log.size(); index++) {
            boolean isData =
                    log.get(index).equals("reason") && List.of("key", "channel").contains(log.get(index + 1));
            if (isData) {
                // reason, context and object, a name and a value each.
                refused.add(log.get(index + 5));
            }
        }
        return refused;
    }

    /** In the first minute a missing key proves no death. */
    public Duration uptime() throws IOException {
        return Duration.ofSeconds(info("server", "uptime_in_seconds"));
    }

    private long info(String section, String field) throws IOException {
        return send("INFO", section)
                .getFirst()
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> flat(Map<String, String> values) {
        return values.entrySet().stream()
                .flatMap(value -> Stream.of(value.getKey(), value.getValue()))
                .toList();
    }

    private static String[] command(String name, List<String> arguments) {
        return Stream.concat(Stream.of(name), arguments.stream()).toArray(String[]::new);
    }

    /** Simulates a loss of data. */
    public void forgetEverything() throws IOException {
        send("FLUSHALL");
    }

    private List<String> send(String... command) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            OutputStream out = socket.getOutputStream();
            StringBuilder request = new StringBuilder("*" + command.length + "\r\n");
            for (String part : command) {
                request.append("$%s\r\n%s\r\n".formatted(part.length(), part));
            }
            out.write(request.toString().getBytes(StandardCharsets.US_ASCII));
            List<String> answer = new ArrayList<>();
            read(new DataInputStream(socket.getInputStream()), answer);
            return answer;
        }
    }

    /** Reads a reply; a single reply becomes a list of one, and nil an empty text. */
    private static void read(DataInputStream in, List<String> answer) throws IOException {
        String line = line(in);
        String content = line.substring(1);
        switch (line.charAt(0)) {
            case '*' -> {
                for (int remaining = Integer.parseInt(content); remaining > 0; remaining--) {
                    read(in, answer);
                }
            }
            case '$' -> answer.add(content.equals("-1") ? "" : bulk(in, Integer.parseInt(content)));
            case '-' -> throw new IOException(content);
            default -> answer.add(content);
        }
    }

    private static String bulk(DataInputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        in.readNBytes(2);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.readUnsignedByte(); next != '\r'; next = in.readUnsignedByte()) {
            line.append((char) next);
        }
        in.readUnsignedByte();
        return line.toString();
    }
}
