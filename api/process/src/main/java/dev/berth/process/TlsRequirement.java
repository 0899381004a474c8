package dev.berth.process;

import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Fails the start when a server on another machine would be reached without TLS. */
@Configuration(proxyBeanMethods = false)
public class TlsRequirement {
    private static final String REQUIRED = "berth.tls.required";
    private static final String TEMPORAL = "spring.temporal.connection.";
    private static final List<String> AWS = List.of("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_ECS", "AWS_ENDPOINT_URL_SQS");
    /** The other modes of PostgreSQL's driver encrypt, but do not check who answers. */
    private static final Pattern VERIFYING = Pattern.compile("[?&]sslmode=verify-(ca|full)(&|$)");

    private static final Pattern JDBC_URL = Pattern.compile("jdbc:postgresql://(?<hosts>[^/?]*)(?<parameters>.*)");

    /** Runs before any client connects. */
    @Bean
    static BeanFactoryPostProcessor requireTls(Environment environment) {
        return _ -> check(environment, TemporalProfile.of(System.getenv()));
    }

    /**
     * Servers on a loopback address are exempt.
     *
     * @param profile Temporal's, which counts before Spring's settings
     * @throws IllegalArgumentException naming the setting and what to write there
     */
    static void check(Environment environment, Optional<TemporalProfile> profile) {
        if (environment.getProperty(REQUIRED, Boolean.class, true)) {
            Stream.of(
                            redis(environment),
                            temporal(environment, profile),
                            postgres(environment),
                            aws(environment),
                            otlp(environment))
                    .flatMap(Optional::stream)
                    .findFirst()
                    .ifPresent(remedy -> {
                        throw new IllegalArgumentException(remedy + ", or accept connections that anybody on the way"
                                + " can read and change with " + REQUIRED + "=false.");
                    });
        }
    }

    private static Optional<String> redis(Environment environment) {
        return setting(environment, "berth.redis-uri")
                .map(URI::create)
                .filter(server -> !"rediss".equals(server.getScheme()) && isRemote(server.getHost()))
                .map(server -> "Write berth.redis-uri with rediss: instead of " + server.getScheme() + ":");
    }

    private static Optional<String> temporal(Environment environment, Optional<TemporalProfile> profile) {
        if (profile.flatMap(TemporalProfile::address).isPresent()) {
            return profile.filter(server -> !server.isEncrypted())
                    .flatMap(TemporalProfile::address)
                    .filter(target -> isRemote(withoutPort(target)))
                    .map(_ -> "Set TEMPORAL_TLS=true, TEMPORAL_API_KEY or TEMPORAL_TLS_CLIENT_CERT_PATH");
        }
        boolean encrypted = environment.getProperty(TEMPORAL + "enable-https", Boolean.class, false)
                || Stream.of("api-key", "mtls.key-file", "mtls.key")
                        .anyMatch(name -> setting(environment, TEMPORAL + name).isPresent());
        return setting(environment, TEMPORAL + "target")
                .filter(target -> !encrypted && isRemote(withoutPort(target)))
                .map(_ -> "Set " + TEMPORAL + "enable-https=true, " + TEMPORAL + "api-key or " + TEMPORAL + "mtls.*");
    }

    private static Optional<String> postgres(Environment environment) {
        return setting(environment, "spring.datasource.url")
                .map(JDBC_URL::matcher)
                .filter(Matcher::matches)
                .filter(url -> Stream.of(url.group("hosts").split(",")).anyMatch(host -> isRemote(withoutPort(host))))
                .filter(url -> !VERIFYING.matcher(url.group("parameters")).find())
                .map(_ -> "Add sslmode=verify-full to spring.datasource.url");
    }

    private static Optional<String> aws(Environment environment) {
        return AWS.stream()
                .filter(name -> setting(environment, name)
                        .map(URI::create)
                        .filter(server -> !"https".equals(server.getScheme()) && isRemote(server.getHost()))
                        .isPresent())
                .findFirst()
                .map(name -> "Write " + name + " with https:");
    }

    private static Optional<String> otlp(Environment environment) {
        return setting(environment, "berth.otlp.endpoint")
                .map(URI::create)
                .filter(server -> !"https".equals(server.getScheme()) && isRemote(server.getHost()))
                .map(_ -> "Write berth.otlp.endpoint with https:");
    }

    private static Optional<String> setting(Environment environment, String name) {
        return Optional.ofNullable(environment.getProperty(name)).filter(value -> !value.isBlank());
    }

    private static String withoutPort(String server) {
        return server.replaceFirst(":\\d+$", "");
    }

    /** A name other than localhost is not resolved: it may stand for another machine tomorrow. */
    private static boolean isRemote(String host) {
        if (host == null || host.equals("localhost")) {
            return false;
        }
        try {
            return !InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
        } catch (IllegalArgumentException name) {
            return true;
        }
    }
}
