package dev.berth.host.broker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;

/** A network between an adapter and its broker that can be cut, after any byte of either. */
final class CuttingProxy implements AutoCloseable {
    private static final int UNLIMITED = -1;

    /** Whose bytes. */
    enum From {
        ADAPTER,
        BROKER
    }

    private final InetSocketAddress broker;
    private final int port;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private ServerSocket listener;
    /** Who is cut, and how many more of its bytes pass; guarded by this. */
    private From cutting = From.ADAPTER;

    private int bytesLeft = UNLIMITED;
    private boolean disconnects;

    private boolean cut;
    private boolean connected = true;

    CuttingProxy(int brokerPort) throws IOException {
        this.broker = new InetSocketAddress(InetAddress.getLoopbackAddress(), brokerPort);
        this.listener = listen(0);
        this.port = listener.getLocalPort();
    }

    int port() {
        return port;
    }

    /** Ends every connection and refuses new ones. */
    synchronized void disconnect() {
        connected = false;
        close(listener);
        open.forEach(CuttingProxy::close);
    }

    /** Waits until the port is free again. */
    void reconnect() {
        ServerSocket next = Awaitility.await().ignoreExceptions().until(() -> listen(port), ServerSocket::isBound);
        synchronized (this) {
            listener = next;
            connected = true;
        }
    }

    /** The connection on which one byte more than these comes ends before that byte. */
    synchronized void cutAfter(From who, int bytes) {
        cutting = who;
        bytesLeft = bytes;
        cut = false;
    }

    /** Loses what the adapter writes next, and is disconnected from then on. */
    synchronized void disconnectAtNextWrite() {
        disconnects = true;
        cutAfter(From.ADAPTER, 0);
    }

    /** Lets everything pass again; true when a connection was cut meanwhile. */
    synchronized boolean stopCutting() {
        bytesLeft = UNLIMITED;
        return cut;
    }

    private ServerSocket listen(int onPort) throws IOException {
        ServerSocket server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), onPort));
        // A virtual thread would delay the close of the port until it has left accept.
        Thread.ofPlatform().daemon().start(() -> accept(server));
        return server;
    }

    private void accept(ServerSocket server) {
        try {
            while (true) {
                Socket adapter = server.accept();
                Thread.ofVirtual().start(() -> connect(adapter));
            }
        } catch (IOException closed) {
            // Disconnected.
        }
    }

    private void connect(Socket adapter) {
        Socket server = new Socket();
        try {
            if (!register(adapter, server)) {
                return;
            }
            server.connect(broker);
            Thread.ofVirtual().start(() -> copy(server, adapter, From.BROKER));
            copy(adapter, server, From.ADAPTER);
        } catch (IOException unreachable) {
            close(adapter);
        } finally {
            open.remove(adapter);
            open.remove(server);
        }
    }

    private synchronized boolean register(Socket adapter, Socket server) {
        if (!connected) {
            close(adapter);
            return false;
        }
        open.add(adapter);
        open.add(server);
        return true;
    }

    private void copy(Socket from, Socket to, From who) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[1 << 14];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                int passed = pass(who, read);
                out.write(buffer, 0, passed);
                out.flush();
                if (passed < read) {
                    return;
                }
            }
        } catch (IOException ended) {
            // One side has closed.
        }
    }

    private synchronized int pass(From who, int bytes) {
        if (bytesLeft == UNLIMITED || who != cutting) {
            return bytes;
        }
        int passed = Math.min(bytes, bytesLeft);
        bytesLeft -= passed;
        if (passed < bytes) {
            bytesLeft = UNLIMITED;
            cut = true;
            if (disconnects) {
                disconnects = false;
                disconnect();
            }
        }
        return passed;
    }

    private static void close(AutoCloseable connection) {
        try {
            connection.close();
        } catch (Exception ignored) {
            // It is closed.
        }
    }

    @Override
    public void close() {
        disconnect();
    }
}
