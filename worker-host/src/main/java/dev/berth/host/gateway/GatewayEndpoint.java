package dev.berth.host.gateway;

import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Where the gateway is and how it is recognized.
 *
 * @param target host and port
 * @param authorities sign the gateway's certificate
 * @param enrolmentSecret proves once that this task was launched by Berth
 */
public record GatewayEndpoint(String target, List<X509Certificate> authorities, String enrolmentSecret) {
    private static final String CA = "BERTH_GATEWAY_CA";

    public GatewayEndpoint {
        authorities = List.copyOf(authorities);
    }

    /**
     * Reads the environment.
     *
     * @throws IllegalArgumentException naming the variable that is missing or wrong
     */
    public static GatewayEndpoint from(Map<String, String> environment) {
        return new GatewayEndpoint(
                required(environment, "BERTH_GATEWAY_TARGET"),
                authorities(required(environment, CA)),
                required(environment, "BERTH_ENROLMENT_SECRET"));
    }

    private static List<X509Certificate> authorities(String base64) {
        try {
            return List.of(GatewayTls.certificates(Base64.getDecoder().decode(base64)));
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(CA + " must be certificates in PEM, in Base64", malformed);
        }
    }

    private static String required(Map<String, String> environment, String name) {
        String value = environment.get(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(
                    name + " is not set. A worker is started by ECS, whose task definition sets it.");
        }
        return value;
    }

    @Override
    public String toString() {
        return "GatewayEndpoint[target=" + target + "]";
    }
}
