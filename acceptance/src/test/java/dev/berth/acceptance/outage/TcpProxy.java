package dev.berth.acceptance.outage;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Forwards connections to a local port until it is closed. */
final class TcpProxy implements AutoCloseable {
    private final ServerSocket server;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private TcpProxy(ServerSocket server, int target) {
        this.server = server;
        this.target = target;
    }

    static TcpProxy to(int target) throws IOException {
        TcpProxy proxy = new TcpProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
        Thread.ofVirtual().name("tcp-proxy").start(proxy::accept);
        return proxy;
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Socket remote = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(client);
                sockets.add(remote);
                Thread.ofVirtual().start(() -> forward(client, remote));
                Thread.ofVirtual().start(() -> forward(remote, client));
            } catch (IOException cut) {
                // The client sees the closed connection.
            }
        }
    }

    private static void forward(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException cut) {
            // The sockets are closed.
        }
    }

    /** Closes all connections and accepts no more. */
    @Override
    public void close() throws IOException {
        server.close();
        for (Socket end : sockets) {
            end.close();
        }
    }
}
