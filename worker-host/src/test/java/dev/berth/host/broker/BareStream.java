package dev.berth.host.broker;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A venue that knows every account, and whose stream confirms its subscription or says nothing,
 * and answers pings or does not.
 */
final class BareStream implements AutoCloseable {
    /** RFC 6455. */
    private static final String ACCEPTED = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private static final String AUTHORIZED = "{\"stream\":\"authorization\",\"data\":{\"status\":\"authorized\"}}";
    private static final String LISTENING = "{\"stream\":\"listening\",\"data\":{\"streams\":[\"trade_updates\"]}}";
    private static final String KEY = "sec-websocket-key: ";
    private static final int TEXT = 0x81;
    private static final int LONG_LENGTH = 127;
    private static final int PING = 0x89;
    private static final int PONG = 0x8A;

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final boolean confirms;
    private final boolean answersPings;
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger pings = new AtomicInteger();
    private final BlockingQueue<OutputStream> streams = new LinkedBlockingQueue<>();

    BareStream(boolean confirms, boolean answersPings) throws IOException {
        this.confirms = confirms;
        this.answersPings = answersPings;
        Thread.ofVirtual().start(this::accept);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    /** How many streams were opened. */
    int opened() {
        return opened.get();
    }

    int pings() {
        return pings.get();
    }

    /**
     * Sends one message of blanks on the stream that was opened last, once it is open; less of it
     * to a client that closes the stream before its end.
     */
    void sendBlanks(int characters) throws IOException, InterruptedException {
        DataOutputStream out = new DataOutputStream(streams.take());
        out.writeByte(TEXT);
        out.writeByte(LONG_LENGTH);
        out.writeLong(characters);
        try {
            out.write(" ".repeat(characters).getBytes(StandardCharsets.US_ASCII));
        } catch (SocketException clientLeft) {
            // The message is too long for it.
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket caller = server.accept();
                Thread.ofVirtual().start(() -> serve(caller));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket caller) {
        try (caller) {
            DataInputStream in = new DataInputStream(caller.getInputStream());
            OutputStream out = caller.getOutputStream();
            String request = head(in);
            String key = streamKey(request);
            if (key.isEmpty()) {
                String answer = request.contains("/v2/account ") ? "{\"id\":\"alice\"}" : "[]";
                say(out, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + answer);
                return;
            }
            say(
                    out,
                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Accept: " + accepted(key) + "\r\n\r\n");
            opened.incrementAndGet();
            streams.add(out);
            boolean isAuthorized = false;
            while (true) {
                int frame = frame(in);
                if (frame == TEXT && confirms) {
                    text(out, isAuthorized ? LISTENING : AUTHORIZED);
                    isAuthorized = true;
                }
                if (frame == PING) {
                    pings.incrementAndGet();
                    if (answersPings) {
                        out.write(new byte[] {(byte) PONG, 0});
                    }
                }
            }
        } catch (IOException | GeneralSecurityException gone) {
            // The caller has left, or the test is over.
        }
    }

    private static void text(OutputStream out, String message) throws IOException {
        out.write(new byte[] {(byte) TEXT, (byte) message.length()});
        out.write(message.getBytes(StandardCharsets.US_ASCII));
    }

    private static String head(DataInputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        return head.toString();
    }

    /** Empty when the request does not ask for a stream. */
    private static String streamKey(String request) {
        return request.lines()
                .filter(line -> line.regionMatches(true, 0, KEY, 0, KEY.length()))
                .map(line -> line.substring(KEY.length()))
                .findFirst()
                .orElse("");
    }

    private static String accepted(String key) throws GeneralSecurityException {
        byte[] hash = MessageDigest.getInstance("SHA-1").digest((key + ACCEPTED).getBytes(StandardCharsets.US_ASCII));
        return Base64.getEncoder().encodeToString(hash);
    }

    /** Reads one of a client's frames, shorter than 64 KiB; answers its first byte. */
    private static int frame(DataInputStream in) throws IOException {
        int first = in.readUnsignedByte();
        int length = in.readUnsignedByte() & 0x7F;
        if (length == 126) {
            length = in.readUnsignedShort();
        }
        int mask = 4;
        in.skipNBytes(mask + length);
        return first;
    }

    private static void say(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
