package dev.berth.activities.webhook;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One POST over HTTP/1.1 to an address that was checked. The JDK's client resolves the name itself,
 * so that a name could point elsewhere between check and connection.
 */
final class WebhookSender {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: .*)?");
    private static final int MAX_STATUS_LINE = 1_000;

    private final boolean allowPrivate;
    private final Duration limit;

    /**
     * A sender.
     *
     * @param allowPrivate whether private addresses and plain http may be called
     * @param limit of a whole attempt, from the connection to the status
     */
    WebhookSender(boolean allowPrivate, Duration limit) {
        this.allowPrivate = allowPrivate;
        this.limit = limit;
    }

    /**
     * Sends, and reads the status. Redirects are not followed.
     *
     * @throws IOException when nothing was answered, or the address may not be called
     */
    int post(URI url, Map<String, String> headers, String body) throws IOException {
        boolean isTls = "https".equals(url.getScheme());
        if (!isTls && !allowPrivate) {
            throw new IOException("only https is called");
        }
        int port = url.getPort() >= 0 ? url.getPort() : isTls ? 443 : 80;
        InetAddress address = checked(url.getHost());
        long end = System.nanoTime() + limit.toNanos();
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(address, port), (int) CONNECT.toMillis());
            plain.setSoTimeout(remaining(end));
            try (Socket socket = isTls ? secured(plain, url.getHost(), port) : plain) {
                OutputStream out = socket.getOutputStream();
                out.write(request(url, headers, body));
                out.flush();
                return status(socket, end);
            }
        }
    }

    /** Every address of the name must be public: which one is used must not be a matter of luck. */
    private InetAddress checked(String host) throws IOException {
        InetAddress[] addresses = InetAddress.getAllByName(host.replaceAll("^\\[|]$", ""));
        for (InetAddress address : addresses) {
            if (!allowPrivate && !PublicAddresses.isPublic(address)) {
                throw new IOException("the name leads to an address that is not public");
            }
        }
        return addresses[0];
    }

    private static Socket secured(Socket plain, String host, int port) throws IOException {
        SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        SSLSocket socket = (SSLSocket) factory.createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private static byte[] request(URI url, Map<String, String> headers, String body) {
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder text = new StringBuilder("POST " + target + " HTTP/1.1\r\nHost: " + url.getRawAuthority()
                + "\r\nContent-Type: application/json\r\nContent-Length: " + content.length
                + "\r\nUser-Agent: Berth\r\nConnection: close\r\n");
        headers.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
        byte[] head = text.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[head.length + content.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(content, 0, all, head.length, content.length);
        return all;
    }

    /** A receiver that sends a byte now and then is cut off at the end of the limit, too. */
    private static int status(Socket socket, long end) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder line = new StringBuilder();
        while (line.length() < MAX_STATUS_LINE) {
            socket.setSoTimeout(remaining(end));
            int next = in.read();
            if (next < 0 || next == '\n') {
                break;
            }
            line.append((char) next);
        }
        Matcher status = STATUS_LINE.matcher(line.toString().strip());
        if (!status.matches()) {
            throw new IOException("the answer is not HTTP");
        }
        return Integer.parseInt(status.group(1));
    }

    private static int remaining(long end) throws SocketTimeoutException {
        long millis = (end - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
            throw new SocketTimeoutException("no answer in time");
        }
        return (int) millis;
    }
}
