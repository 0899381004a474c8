package dev.berth.gateway;

import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.concurrent.TimeUnit;

/** Puts a {@link ConnectionGuard} before each connection: gRPC has no hook that may close one. */
final class GatewayTransport implements AutoCloseable {
    private static final long STOP_SECONDS = 2;

    private final EventLoopGroup acceptor = new MultiThreadIoEventLoopGroup(
            1, Thread.ofPlatform().daemon().name("gateway-accept").factory(), io());
    private final EventLoopGroup connections = new MultiThreadIoEventLoopGroup(
            Runtime.getRuntime().availableProcessors(),
            Thread.ofPlatform().daemon().name("gateway-io-", 0).factory(),
            io());

    private static IoHandlerFactory io() {
        return Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    NettyServerBuilder guard(NettyServerBuilder server, GatewayConnections open) {
        return server.bossEventLoopGroup(acceptor)
                .workerEventLoopGroup(connections)
                .channelFactory(() -> listening(open));
    }

    private static ServerChannel listening(GatewayConnections open) {
        ServerChannel listening = Epoll.isAvailable() ? new EpollServerSocketChannel() : new NioServerSocketChannel();
        listening.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object accepted) {
                ((Channel) accepted).pipeline().addFirst(new ConnectionGuard(open));
                context.fireChannelRead(accepted);
            }
        });
        return listening;
    }

    /** After the server that it serves; does not wait. */
    @Override
    public void close() {
        var _ = connections.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
        var _ = acceptor.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
    }
}
