package dev.berth.gateway;

import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.unix.UnixChannelOption;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The port on which workers reach a gateway, and its certificate. */
final class ServerPort {
    private ServerPort() {}

    /** A server of the port in the settings, without services yet. */
    static NettyServerBuilder of(GatewaySettings settings) throws IOException {
        NettyServerBuilder builder = NettyServerBuilder.forPort(settings.port(), credentials(settings));
        if (settings.reusePort()) {
            // The kernel spreads connections, and those of a killed gateway come to the others.
            builder.withOption(UnixChannelOption.SO_REUSEPORT, true);
        }
        return builder;
    }

    /** Without a certificate a client may connect, since it enrols before it has one. */
    private static ServerCredentials credentials(GatewaySettings settings) throws IOException {
        return TlsServerCredentials.newBuilder()
                .keyManager(
                        stream(settings.server().certificate()),
                        stream(settings.server().key()))
                .trustManager(stream(settings.authority().certificate()))
                .clientAuth(TlsServerCredentials.ClientAuth.OPTIONAL)
                .build();
    }

    private static InputStream stream(String pem) {
        return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    }
}
