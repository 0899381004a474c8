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

/** What stands in Redis, asked in its own protocol. */
public record RedisKeyspace(int port) {
    /** A Redis that stands still takes connections all the same. */
    private static final int PATIENCE_MILLIS = 5_000;

    public static RedisKeyspace of(Stack stack) {
        return new RedisKeyspace(stack.port("REDIS", 16379));
    }

    /** Empty when there is no such key. */
    public String get(String key) throws IOException {
        return ask("GET", key).getFirst();
    }

    /** Milliseconds; -1 without one, -2 without the key. */
    public long timeToLive(String key) throws IOException {
        return Long.parseLong(ask("PTTL", key).getFirst());
    }

    public Map<String, String> hash(String key) throws IOException {
        List<String> flat = ask("HGETALL", key);
        Map<String, String> hash = new LinkedHashMap<>();
        for (int at = 0; at + 1 < flat.size(); at += 2) {
            hash.put(flat.get(at), flat.get(at + 1));
        }
        return hash;
    }

    /** Task ids of the pool workers that wait for a user. */
    public List<String> idlePoolWorkers() throws IOException {
        return ask("ZRANGE", "pool:idle", "0", "-1");
    }

    /** How many members a sorted set has; 0 without the key. */
    public long size(String key) throws IOException {
        return Long.parseLong(ask("ZCARD", key).getFirst());
    }

    /** Members of a sorted set, lowest first. */
    public List<String> sorted(String key) throws IOException {
        return ask("ZRANGE", key, "0", "-1");
    }

    /** One more member of a sorted set. */
    public void add(String key, long score, String member) throws IOException {
        ask("ZADD", key, Long.toString(score), member);
    }

    /** As by an operator's hand. */
    public void delete(String... keys) throws IOException {
        ask(command("DEL", List.of(keys)));
    }

    /** All of them at once, without an end of their life. */
    public void set(Map<String, String> values) throws IOException {
        ask(command("MSET", flat(values)));
    }

    /** Fields of a hash. */
    public void set(String key, Map<String, String> fields) throws IOException {
        ask(command("HSET", Stream.concat(Stream.of(key), flat(fields).stream()).toList()));
    }

    /** Since it was started, by everybody. */
    public long commandsProcessed() throws IOException {
        return info("stats", "total_commands_processed");
    }

    /** Since it was started; until that is a minute nobody is given up on its word. */
    public Duration uptime() throws IOException {
        return Duration.ofSeconds(info("server", "uptime_in_seconds"));
    }

    private long info(String section, String field) throws IOException {
        return ask("INFO", section)
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

    /** As a Redis that came back without its data. */
    public void forgetEverything() throws IOException {
        ask("FLUSHALL");
    }

    private List<String> ask(String... command) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            OutputStream out = socket.getOutputStream();
            StringBuilder request = new StringBuilder("*" + command.length + "\r\n");
            for (String part : command) {
                request.append("$%d\r\n%s\r\n".formatted(part.length(), part));
            }
            out.write(request.toString().getBytes(StandardCharsets.US_ASCII));
            List<String> answer = new ArrayList<>();
            read(new DataInputStream(socket.getInputStream()), answer);
            return answer;
        }
    }

    /** A single reply is a list of one; nil is empty. */
    private static void read(DataInputStream in, List<String> answer) throws IOException {
        String line = line(in);
        String rest = line.substring(1);
        switch (line.charAt(0)) {
            case '*' -> {
                for (int left = Integer.parseInt(rest); left > 0; left--) {
                    read(in, answer);
                }
            }
            case '$' -> answer.add(rest.equals("-1") ? "" : bulk(in, Integer.parseInt(rest)));
            case '-' -> throw new IOException(rest);
            default -> answer.add(rest);
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
