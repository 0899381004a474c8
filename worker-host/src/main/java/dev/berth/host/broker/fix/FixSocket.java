package dev.berth.host.broker.fix;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import quickfix.Responder;

/** One connection with the counterparty, by TLS or in plain. */
final class FixSocket implements Responder, AutoCloseable {
    /** What FIX 4.4 messages are written in; their lengths count its bytes. */
    private static final Charset LATIN = StandardCharsets.ISO_8859_1;

    private static final byte SEPARATOR = 1;
    /** BeginString and BodyLength, with which every message begins. */
    private static final String BEGIN = "8=FIX.4.4\u00019=";

    private static final int LONGEST_HEAD = 32;
    private static final int LONGEST_BODY = 1 << 20;
    /** CheckSum, with which every message ends. */
    private static final int TRAILER = "10=000\u0001".length();

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    private FixSocket(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /** @param silence after which the connection counts as lost */
    static FixSocket connect(FixCounterparty counterparty, Duration within, Duration silence) throws IOException {
        FixAddress address = counterparty.address();
        Socket plain = new Socket();
        try {
            plain.setTcpNoDelay(true);
            int limit = Math.toIntExact(Math.max(1, within.toMillis()));
            plain.connect(new InetSocketAddress(address.host(), address.port()), limit);
            plain.setSoTimeout(limit);
            SSLSocketFactory tls = counterparty.tls();
            Socket connected = tls == null ? plain : encrypted(tls, plain, address);
            connected.setSoTimeout(Math.toIntExact(silence.toMillis()));
            return new FixSocket(connected);
        } catch (IOException | RuntimeException failed) {
            plain.close();
            throw failed;
        }
    }

    private static Socket encrypted(SSLSocketFactory factory, Socket plain, FixAddress address) throws IOException {
        SSLSocket tls = (SSLSocket) factory.createSocket(plain, address.host(), address.port(), true);
        SSLParameters parameters = tls.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        tls.setSSLParameters(parameters);
        tls.startHandshake();
        return tls;
    }

    /**
     * The next message.
     *
     * @throws IOException at the end, and when what comes is none
     */
    String read() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream(LONGEST_HEAD);
        for (int separators = 0; separators < 2; ) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the counterparty ended the connection");
            }
            head.write(next);
            separators += next == SEPARATOR ? 1 : 0;
            if (head.size() > LONGEST_HEAD) {
                throw new IOException("the counterparty does not speak FIX 4.4");
            }
        }
        String begin = head.toString(LATIN);
        int length = bodyLength(begin);
        byte[] rest = in.readNBytes(length + TRAILER);
        if (rest.length < length + TRAILER) {
            throw new EOFException("the counterparty ended the connection within a message");
        }
        return begin + new String(rest, LATIN);
    }

    private static int bodyLength(String begin) throws IOException {
        String digits = begin.startsWith(BEGIN) ? begin.substring(BEGIN.length(), begin.length() - 1) : "";
        if (!digits.matches("[0-9]{1,7}") || Integer.parseInt(digits) > LONGEST_BODY) {
            throw new IOException("the counterparty does not speak FIX 4.4");
        }
        return Integer.parseInt(digits);
    }

    /** False when nothing, or not all of it, was written. */
    @Override
    public boolean send(String message) {
        Optional<FixCall> call = FixCall.current();
        if (call.isPresent() && !call.get().mayBeWritten()) {
            return false;
        }
        try {
            out.write(message.getBytes(LATIN));
            out.flush();
            return true;
        } catch (IOException broken) {
            close();
            return false;
        }
    }

    @Override
    public void disconnect() {
        close();
    }

    @Override
    public String getRemoteAddress() {
        return String.valueOf(socket.getRemoteSocketAddress());
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException closed) {
            // It cannot be used any more.
        }
    }
}
