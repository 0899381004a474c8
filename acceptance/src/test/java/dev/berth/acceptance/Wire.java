package dev.berth.acceptance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A way to one port of this machine that can be cut while others still reach it. */
final class Wire implements AutoCloseable {
    private final ServerSocket entrance;
    private final int target;
    private final Set<Socket> ends = ConcurrentHashMap.newKeySet();

    private Wire(ServerSocket entrance, int target) {
        this.entrance = entrance;
        this.target = target;
    }

    static Wire to(int target) throws IOException {
        Wire wire = new Wire(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
        Thread.ofVirtual().name("wire").start(wire::accept);
        return wire;
    }

    int port() {
        return entrance.getLocalPort();
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket near = entrance.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                ends.add(near);
                ends.add(far);
                Thread.ofVirtual().start(() -> carry(near, far));
                Thread.ofVirtual().start(() -> carry(far, near));
            } catch (IOException cut) {
                // Whoever called finds out.
            }
        }
    }

    private static void carry(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException cut) {
            // Both ends are closed.
        }
    }

    /** Cuts it for good: what was open is closed, and nothing can be opened. */
    @Override
    public void close() throws IOException {
        entrance.close();
        for (Socket end : ends) {
            end.close();
        }
    }
}
