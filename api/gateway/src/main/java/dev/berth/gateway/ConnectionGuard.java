package dev.berth.gateway;

import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * One connection, from its acceptance on: before the handshake, without a certificate, or of a
 * task. Closes itself when it has no certificate in time.
 */
final class ConnectionGuard extends ChannelInboundHandlerAdapter implements ConnectionCrowd.Member {
    private final GatewayConnections connections;
    private @Nullable ChannelHandlerContext channel;
    private @Nullable SocketAddress remote;
    private volatile @Nullable String taskId;
    private int enrolments;
    private int answering;
    private boolean late;

    ConnectionGuard(GatewayConnections connections) {
        this.connections = connections;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context;
        remote = context.channel().remoteAddress();
        if (!connections.accepted(this)) {
            var _ = context.close();
            return;
        }
        SslHandler tls = context.pipeline().get(SslHandler.class);
        var _ = tls.handshakeFuture().addListener(handshake -> {
            if (handshake.isSuccess()) {
                shookHands(tls);
            }
        });
        Future<?> deadline = context.executor()
                .schedule(this::deadline, GatewayLimits.WITHOUT_CERTIFICATE.toMillis(), TimeUnit.MILLISECONDS);
        var _ = context.channel().closeFuture().addListener(_ -> {
            deadline.cancel(false);
            connections.ended(this);
        });
        context.fireChannelActive();
    }

    private void shookHands(SslHandler tls) {
        taskId = taskId(tls);
        if (!connections.shookHands(this)) {
            close();
        }
    }

    /** Null without a certificate, or with one of no task, which may do no more. */
    private static @Nullable String taskId(SslHandler tls) {
        try {
            return tls.engine().getSession().getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? TaskCertificate.of(certificate).taskId()
                    : null;
        } catch (SSLPeerUnverifiedException | IllegalArgumentException none) {
            return null;
        }
    }

    private void deadline() {
        if (taskId == null && !isAnsweringWhenLate()) {
            connections.closedLate();
            close();
        }
    }

    private synchronized boolean isAnsweringWhenLate() {
        late = true;
        return answering > 0;
    }

    /** Null without a certificate. */
    @Nullable
    String taskId() {
        return taskId;
    }

    @Nullable
    SocketAddress remote() {
        return remote;
    }

    @Override
    public @Nullable InetAddress address() {
        return remote instanceof InetSocketAddress internet ? internet.getAddress() : null;
    }

    /** False when too many are under way on this connection. */
    synchronized boolean beginEnrolment() {
        if (late || enrolments >= GatewayLimits.ENROLMENTS_AT_ONCE) {
            return false;
        }
        enrolments++;
        return true;
    }

    /** An enrolment was received: its secret is used up, so the task needs the answer. */
    synchronized void answering() {
        answering++;
    }

    @Override
    public synchronized boolean isAnswering() {
        return answering > 0;
    }

    /**
     * An enrolment ended.
     *
     * @param received whether it was {@link #answering}
     */
    void endEnrolment(boolean received) {
        boolean isOver;
        synchronized (this) {
            enrolments--;
            answering -= received ? 1 : 0;
            isOver = late && answering == 0;
        }
        if (isOver) {
            close();
        }
    }

    /** At once: what is open on it may never end. */
    void close() {
        ChannelHandlerContext open = channel;
        if (open != null) {
            open.executor().execute(() -> {
                var _ = open.close();
            });
        }
    }
}
