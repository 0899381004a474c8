package dev.berth.rest.websocket;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that answers nothing by itself, and reads only when it is told to. */
final class RawWebSocket implements AutoCloseable {
    private static final int CLOSE = 8;

    private final Socket socket = new Socket();
    private final String answer;

    RawWebSocket(int port) throws IOException {
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write("""
                GET /ws HTTP/1.1\r
                Host: localhost\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Extensions: permessage-deflate\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                User: alice\r
                \r
                """.getBytes(StandardCharsets.US_ASCII));
        StringBuilder headers = new StringBuilder();
        while (headers.indexOf("\r\n\r\n") < 0) {
            headers.append((char) socket.getInputStream().read());
        }
        answer = headers.toString();
        if (!answer.startsWith("HTTP/1.1 101")) {
            throw new IOException(answer);
        }
    }

    /** Status line and headers of the answer to its handshake, which offered to compress. */
    String answer() {
        return answer;
    }

    /** Reads every frame up to the close frame, and returns its code. */
    int readToClose() throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        while (true) {
            int first = in.readUnsignedByte();
            long length = in.readUnsignedByte() & 0x7f;
            if (length == 126) {
                length = in.readUnsignedShort();
            } else if (length == 127) {
                length = in.readLong();
            }
            byte[] content = in.readNBytes(Math.toIntExact(length));
            if ((first & 0xf) == CLOSE) {
                return ((content[0] & 0xff) << 8) | (content[1] & 0xff);
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
