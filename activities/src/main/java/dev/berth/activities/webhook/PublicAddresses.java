package dev.berth.activities.webhook;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;

/** Which addresses belong to the internet, and not to the network of this process. */
final class PublicAddresses {
    private PublicAddresses() {}

    /** Whether no private, local or special network has the address (RFC 6890). */
    static boolean isPublic(InetAddress address) {
        if (address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()) {
            return false;
        }
        return switch (address) {
            case Inet4Address four -> isPublic(four.getAddress());
            case Inet6Address six -> isPublicV6(six.getAddress());
            default -> false;
        };
    }

    private static boolean isPublic(byte[] address) {
        int first = address[0] & 0xff;
        int second = address[1] & 0xff;
        boolean isShared = first == 100 && (second & 0xc0) == 64;
        boolean isProtocol = first == 192 && second == 0;
        boolean isBenchmark = first == 198 && (second & 0xfe) == 18;
        boolean isDocumentation = (first == 198 && second == 51) || (first == 203 && second == 0);
        return first != 0
                && first != 127
                && first < 224
                && !isShared
                && !isProtocol
                && !isBenchmark
                && !isDocumentation;
    }

    /** Only 2000::/3 is given out; 6to4, Teredo and documentation hide other addresses or none. */
    private static boolean isPublicV6(byte[] address) {
        int first = ((address[0] & 0xff) << 8) | (address[1] & 0xff);
        int second = ((address[2] & 0xff) << 8) | (address[3] & 0xff);
        boolean isTunnel = first == 0x2002 || (first == 0x2001 && second < 0x200);
        boolean isDocumentation = (first == 0x2001 && second == 0xdb8) || first == 0x3fff;
        return (first & 0xe000) == 0x2000 && !isTunnel && !isDocumentation;
    }
}
