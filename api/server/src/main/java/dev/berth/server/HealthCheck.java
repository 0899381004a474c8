package dev.berth.server;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/**
 * The health check of the image, which has no shell and no {@code curl}. Ends with 0 when the
 * process in this container is ready, else with 1. {@code BERTH_HEALTH_URL} names another address
 * than the usual one.
 */
final class HealthCheck {
    private static final int TIMEOUT_MILLIS = 3000;

    private HealthCheck() {}

    static void main() {
        String port = System.getenv().getOrDefault("MANAGEMENT_SERVER_PORT", "8081");
        String usual = "http://127.0.0.1:" + port + "/actuator/health/readiness";
        System.exit(isReady(URI.create(System.getenv().getOrDefault("BERTH_HEALTH_URL", usual))) ? 0 : 1);
    }

    static boolean isReady(URI readiness) {
        try {
            HttpURLConnection connection = (HttpURLConnection) readiness.toURL().openConnection();
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            return connection.getResponseCode() == 200;
        } catch (IOException notReachable) {
            return false;
        }
    }
}
