package dev.berth.local.venue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** FIX 4.4 on a bare socket, without an engine: numbers as the test wants them. */
final class RawFixClient implements AutoCloseable {
    static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HH:mm:ss.SSS", Locale.ROOT);
    private static final int PATIENCE_MILLIS = 20_000;

    private final String account;
    private final Socket socket;
    private final InputStream in;
    private int next;

    /** @param next the number of the first message */
    RawFixClient(int port, String account, int next) throws IOException {
        this.account = account;
        this.next = next;
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        this.in = socket.getInputStream();
    }

    /** Logs on as a client of the first hour. */
    static RawFixClient logOn(PaperVenue venue, String account) throws IOException {
        var client = new RawFixClient(venue.fixPort(), account, 1);
        client.logOn();
        return client;
    }

    /** Logs on, and returns the answer. */
    FixFields logOn(String... more) throws IOException {
        return logOnWith("paper-" + account, more);
    }

    FixFields logOnWith(String password, String... more) throws IOException {
        var fields = new String[] {"98=0", "108=30", "554=" + password};
        send("A", concat(fields, more));
        return receive();
    }

    /** An order of one AAPL for the day; more fields take precedence. */
    void order(String id, String... more) throws IOException {
        var fields = new String[] {"11=" + id, "60=" + now()};
        var defaults = new String[] {"55=AAPL", "54=1", "38=1", "40=1"};
        var set = Arrays.stream(defaults)
                .filter(field ->
                        Arrays.stream(more).noneMatch(other -> tag(other).equals(tag(field))))
                .toArray(String[]::new);
        send("D", concat(concat(fields, set), more));
    }

    private static String tag(String field) {
        return field.substring(0, field.indexOf('='));
    }

    /** A request about an order of AAPL to buy. */
    void request(String type, String... fields) throws IOException {
        send(type, concat(new String[] {"55=AAPL", "54=1", "60=" + now()}, fields));
    }

    void send(String type, String... fields) throws IOException {
        sendAs(next++, type, fields);
    }

    /** With that number, which is not counted. PossResend is a field of the header. */
    void sendAs(int number, String type, String... fields) throws IOException {
        var head = new String[] {
            "35=" + type, "34=" + number, "49=" + account, "56=VENUE", "52=" + now(),
        };
        Arrays.sort(fields, Comparator.comparing(field -> !field.startsWith("97=")));
        var body = String.join("\u0001", concat(head, fields)) + "\u0001";
        var message = "8=FIX.4.4\u00019=" + body.length() + "\u0001" + body;
        sendText(message + String.format(Locale.ROOT, "10=%03d\u0001", checksum(message)));
    }

    void sendText(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    static int checksum(String message) {
        return message.chars().sum() % 256;
    }

    static String now() {
        return TIME.format(LocalDateTime.now(ZoneOffset.UTC));
    }

    /** The next message, heartbeats apart. */
    FixFields receive() throws IOException {
        var message = receiveAny();
        return message.type().equals("0") && message.get(112).isEmpty() ? receive() : message;
    }

    FixFields receiveAny() throws IOException {
        var message = read();
        if (message == null) {
            throw new IOException("the venue closed the connection");
        }
        return message;
    }

    /** Ignores what comes before the end of the connection. */
    void awaitEnd() throws IOException {
        while (read() != null) {
            // Before the end.
        }
    }

    /** The next message; null when the connection has ended. */
    @Nullable
    FixFields read() throws IOException {
        var text = new StringBuilder();
        for (int b = in.read(); b >= 0; b = in.read()) {
            text.append((char) b);
            if (b == 1 && text.length() > 7 && text.lastIndexOf("\u000110=") == text.length() - 8) {
                return FixFields.parse(text.toString());
            }
        }
        return null;
    }

    int nextNumber() {
        return next;
    }

    private static String[] concat(String[] one, String[] other) {
        var all = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, all, one.length, other.length);
        return all;
    }

    /** Without a Logout. */
    @Override
    public void close() throws IOException {
        socket.close();
    }
}
