package dev.berth.activities.webhook;

import dev.berth.workflows.webhook.WebhookOwner;
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
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One POST over HTTP/1.1 to an address that was checked. The JDK's client resolves the name itself,
 * so that a name could point elsewhere between check and connection.
 *
 * <p>An attempt ends at its limit, whatever the receiver does: a timer closes the socket, since a
 * time-out of single reads begins anew with each byte.
 */
final class WebhookSender {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: .*)?");
    private static final int MAX_STATUS_LINE = 1_000;
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final boolean allowPrivate;
    private final Duration limit;
    private final NameLookups names;

    /**
     * A sender.
     *
     * @param allowPrivate whether private addresses and plain http may be called
     * @param limit of a whole attempt, from the resolution of the name to the status
     */
    WebhookSender(boolean allowPrivate, Duration limit, NameLookups names) {
        this.allowPrivate = allowPrivate;
        this.limit = limit;
        this.names = names;
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("webhook-limit").factory());
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /**
     * Sends, and reads the status. Redirects are not followed. Returns or throws within the limit.
     *
     * @param owner whose webhook it is
     * @throws IOException when nothing was answered in time, or the address may not be called
     */
    int post(WebhookOwner owner, URI url, Map<String, String> headers, String body) throws IOException {
        boolean isTls = "https".equals(url.getScheme());
        if (!isTls && !allowPrivate) {
            throw new IOException("only https is called");
        }
        int port = url.getPort() >= 0 ? url.getPort() : isTls ? 443 : 80;
        long end = System.nanoTime() + limit.toNanos();
        InetAddress address = checked(owner, url.getHost());
        try (Socket plain = new Socket()) {
            Future<?> cutOff = TIMER.schedule(() -> close(plain), end - System.nanoTime(), TimeUnit.NANOSECONDS);
            try {
                plain.connect(new InetSocketAddress(address, port), (int) CONNECT.toMillis());
                return exchange(plain, isTls, url, port, request(url, headers, body));
            } catch (IOException failed) {
                throw System.nanoTime() >= end ? new SocketTimeoutException("no answer in time") : failed;
            } finally {
                cutOff.cancel(false);
            }
        }
    }

    private static int exchange(Socket plain, boolean isTls, URI url, int port, byte[] request) throws IOException {
        try (Socket socket = isTls ? secured(plain, url.getHost(), port) : plain) {
            OutputStream out = socket.getOutputStream();
            out.write(request);
            out.flush();
            return status(socket.getInputStream());
        }
    }

    /** The thread that connects, reads or writes gets an exception. */
    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException closedAlready) {
            // The attempt has ended.
        }
    }

    /** Every address of the name must be public: which one is used must not be a matter of luck. */
    private InetAddress checked(WebhookOwner owner, String host) throws IOException {
        InetAddress[] addresses = names.addresses(owner, host.replaceAll("^\\[|]$", ""), limit);
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

    private static int status(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.length() < MAX_STATUS_LINE) {
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
}
