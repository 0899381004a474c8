package dev.berth.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** Ends TLS in front of a local port. */
final class TlsProxy implements AutoCloseable {
    private final SSLServerSocket server;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private TlsProxy(SSLServerSocket server, int target) {
        this.server = server;
        this.target = target;
    }

    /**
     * Begins to accept.
     *
     * @param isMutual whether a client without a trusted certificate is refused
     * @param protocols that ALPN offers
     */
    static TlsProxy to(int target, SSLContext tls, boolean isMutual, String... protocols) throws IOException {
        SSLServerSocket server = (SSLServerSocket)
                tls.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        SSLParameters parameters = server.getSSLParameters();
        parameters.setNeedClientAuth(isMutual);
        parameters.setApplicationProtocols(protocols);
        server.setSSLParameters(parameters);
        TlsProxy proxy = new TlsProxy(server, target);
        Thread.ofPlatform().daemon().name("tls-proxy").start(proxy::accept);
        return proxy;
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                SSLSocket client = (SSLSocket) server.accept();
                sockets.add(client);
                Thread.ofPlatform().daemon().start(() -> connect(client));
            } catch (IOException closed) {
                // The loop ends with the server.
            }
        }
    }

    private void connect(SSLSocket client) {
        try {
            client.startHandshake();
            Socket remote = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(remote);
            Thread.ofPlatform().daemon().start(() -> forward(client, remote));
            forward(remote, client);
        } catch (IOException refused) {
            close(client);
        }
    }

    private static void forward(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException cut) {
            // Both are closed.
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException closed) {
            // That is what was wanted.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        sockets.forEach(TlsProxy::close);
    }
}
