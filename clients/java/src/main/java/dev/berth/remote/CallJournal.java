package dev.berth.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which calls were begun on this machine, as JSON lines on disk: none is executed twice. One
 * process at a time uses the folder, which the Python SDK writes the same way.
 */
final class CallJournal implements AutoCloseable {
    /** Far longer than any deadline: a later repeat is refused by its deadline. */
    static final Duration KEPT = Duration.ofHours(24);

    private static final int COMPACTED_AFTER = 20_000;
    private static final Logger LOG = LoggerFactory.getLogger(CallJournal.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Path file;
    private final InstantSource clock;
    private final FileChannel lock;
    private final String machine;
    private final Map<String, JsonNode> calls = new LinkedHashMap<>();
    private FileChannel channel;
    private int lines;

    /** @throws IllegalStateException when another process uses the folder */
    CallJournal(Path folder, InstantSource clock) throws IOException {
        this.clock = clock;
        this.file = Files.createDirectories(folder).resolve("calls.jsonl");
        this.lock = FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (lock.tryLock() == null) {
                throw new OverlappingFileLockException();
            }
        } catch (OverlappingFileLockException held) {
            lock.close();
            throw new IllegalStateException(
                    folder + " is in use by another process of this SDK. Give this one another folder.", held);
        }
        this.machine = machine(folder.resolve("machine"));
        read();
        this.channel = compacted();
    }

    private static String machine(Path file) throws IOException {
        if (Files.exists(file)) {
            return Files.readString(file).strip();
        }
        String machine = UUID.randomUUID().toString();
        try (FileChannel fresh = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            write(fresh, machine);
            fresh.force(true);
        }
        return machine;
    }

    /** The last line of a process that was killed may be half a line: its call was not executed. */
    private void read() throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        for (String line : Files.readString(file).lines().toList()) {
            try {
                JsonNode entry = MAPPER.readTree(line);
                calls.put(entry.required("callId").asText(), entry);
            } catch (IOException | IllegalArgumentException half) {
                LOG.info("ignored a line that was not written whole");
            }
        }
    }

    /** Drops old calls, and replaces the file as a whole. */
    private FileChannel compacted() throws IOException {
        double oldest = now() - KEPT.toSeconds();
        calls.values().removeIf(entry -> entry.path("at").asDouble() < oldest);
        Path fresh = file.resolveSibling("calls.new");
        try (FileChannel copy = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            for (JsonNode entry : calls.values()) {
                write(copy, MAPPER.writeValueAsString(entry));
            }
            copy.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        lines = 0;
        return FileChannel.open(file, StandardOpenOption.APPEND);
    }

    private double now() {
        return clock.millis() / 1000.0;
    }

    private static void write(FileChannel channel, String line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    String machine() {
        return machine;
    }

    synchronized boolean isBegun(String callId) {
        return calls.containsKey(callId);
    }

    /**
     * Returns when it is on disk that the call has begun.
     *
     * @throws IOException when it is not: the call must not be executed
     */
    synchronized void begin(String callId) throws IOException {
        append(entry(callId));
        channel.force(false);
    }

    /** Not forced to disk: if the answer is lost, a repeat is answered as unknown. */
    synchronized void end(String callId, JsonNode answer) {
        ObjectNode entry = entry(callId);
        entry.set("answer", answer);
        try {
            append(entry);
            if (lines > COMPACTED_AFTER) {
                channel.close();
                channel = compacted();
            }
        } catch (IOException disk) {
            LOG.error("an answer could not be recorded", disk);
        }
    }

    private ObjectNode entry(String callId) {
        return MAPPER.createObjectNode().put("callId", callId).put("at", now());
    }

    private void append(ObjectNode entry) throws IOException {
        write(channel, MAPPER.writeValueAsString(entry));
        calls.put(entry.path("callId").asText(), entry);
        lines++;
    }

    /** Empty when the call is under way, or the process ended in it. */
    synchronized Optional<JsonNode> answer(String callId) {
        return Optional.ofNullable(calls.get(callId)).map(entry -> entry.get("answer"));
    }

    @Override
    public synchronized void close() throws IOException {
        channel.close();
        lock.close();
    }
}
