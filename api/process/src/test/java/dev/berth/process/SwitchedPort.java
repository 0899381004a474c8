package dev.berth.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/**
 * A name that leads to one server, then to another: connections that are open stay where they are.
 */
final class SwitchedPort implements AutoCloseable {
    private final ServerSocket port;
    private volatile URI target;

    SwitchedPort(URI target) throws IOException {
        this.target = target;
        this.port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    void to(URI other) {
        target = other;
    }

    URI uri() {
        return URI.create("redis://127.0.0.1:" + port.getLocalPort());
    }

    private void accept() {
        while (!port.isClosed()) {
            try {
                Socket client = port.accept();
                Socket server = new Socket(target.getHost(), target.getPort());
                Thread.ofVirtual().start(() -> copy(client, server));
                Thread.ofVirtual().start(() -> copy(server, client));
            } catch (IOException closed) {
                // The port, or the server that is unavailable.
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException closed) {
            // By one of both sides.
        }
    }

    @Override
    public void close() throws IOException {
        port.close();
    }
}
