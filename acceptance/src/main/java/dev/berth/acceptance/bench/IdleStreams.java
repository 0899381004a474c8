package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Opens idle streams at one replica until it refuses, and measures the memory of each. */
final class IdleStreams {
    private static final int PER_USER = 20;
    private static final int STEP = 2_000;
    private static final double KIBIBYTES = 1024;

    private final Stack stack;
    private final Tokens tokens;
    private final List<Socket> open = new ArrayList<>();

    IdleStreams(Stack stack) throws IOException {
        this.stack = stack;
        this.tokens = new Tokens(stack);
    }

    /** Prints a row for each step. */
    void measure(int most) throws IOException, InterruptedException {
        long pid = stack.process("api-2").pid();
        double heap = heapMebibytes(pid);
        double resident = Memory.residentMebibytes(pid);
        try {
            while (open.size() < most && connect()) {
                if (open.size() % STEP == 0) {
                    print(pid, heap, resident);
                }
            }
            if (open.size() < most) {
                print(pid, heap, resident);
            }
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    private void print(long pid, double heap, double resident) throws IOException, InterruptedException {
        double used = heapMebibytes(pid) - heap;
        ResultTable.note(
                "%d idle streams at one replica: %.1f KiB of heap and %.1f KiB resident each",
                open.size(),
                used * KIBIBYTES / open.size(),
                (Memory.residentMebibytes(pid) - resident) * KIBIBYTES / open.size());
    }

    /** What is live after a collection. */
    private double heapMebibytes(long pid) throws IOException, InterruptedException {
        jcmd(pid, "GC.run");
        String info = jcmd(pid, "GC.heap_info");
        String used = info.replaceAll("(?s).*?used (\\d+)K.*", "$1");
        return Long.parseLong(used) / KIBIBYTES;
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/jcmd", Long.toString(pid), command)
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return printed;
    }

    /** False when the replica refuses. */
    private boolean connect() throws IOException {
        String user = "idle-" + open.size() / PER_USER;
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), stack.port("API", 8080) + 1), 5_000);
        socket.setSoTimeout(10_000);
        socket.getOutputStream()
                .write(("GET /v1/stream?after=0 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                                + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer "
                                + tokens.sign(user, Tokens.TRADER) + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        byte[] status = socket.getInputStream().readNBytes("HTTP/1.1 101".length());
        open.add(socket);
        return new String(status, StandardCharsets.US_ASCII).endsWith("101");
    }
}
