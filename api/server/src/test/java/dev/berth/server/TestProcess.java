package dev.berth.server;

import dev.berth.activities.TestPostgres;
import dev.berth.local.stack.LocalSqs;
import dev.berth.process.settings.Role;
import dev.berth.routing.TestRedis;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts processes of one role in this JVM, on real servers and a Temporal in memory. */
final class TestProcess implements AutoCloseable {
    /** What the SDK needs. */
    private static final Map<String, String> AWS =
            Map.of("aws.region", "us-east-1", "aws.accessKeyId", "local", "aws.secretAccessKey", "local");

    private final LocalSqs sqs;
    private final List<String> settings;
    private final List<ConfigurableApplicationContext> started = new ArrayList<>();

    /** @param key of tokens, accounts and payloads: 32 bytes */
    TestProcess(TestPostgres postgres, TestRedis redis, Path folder, byte[] key) throws IOException {
        sqs = LocalSqs.start(0);
        AWS.forEach(System::setProperty);
        System.setProperty("aws.endpointUrlSqs", sqs.endpoint().toString());
        byte[] codec = ("2026-01-01T00:00:00Z " + Base64.getEncoder().encodeToString(key) + "\n")
                .getBytes(StandardCharsets.US_ASCII);
        settings = List.of(
                "--server.port=0",
                "--management.server.port=0",
                "--berth.redis-uri=" + redis.uri(),
                "--berth.auth.key-file=" + keyFile(folder, "token", key),
                "--berth.accounts.key-file=" + keyFile(folder, "accounts", key),
                "--berth.codec.key-file=" + keyFile(folder, "codec", codec),
                "--spring.datasource.url=" + ((PGSimpleDataSource) postgres.database()).getURL() + "&user=berth_api",
                "--spring.flyway.enabled=false",
                "--spring.main.banner-mode=off",
                "--spring.temporal.test-server.enabled=true");
    }

    private static Path keyFile(Path folder, String name, byte[] content) throws IOException {
        Path file = Files.write(folder.resolve(name + ".key"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /** Returns when the process is ready; {@link #close} ends it. */
    ConfigurableApplicationContext start(Role role, String... more) {
        List<String> arguments = new ArrayList<>(settings);
        arguments.add("--berth.roles=" + role.name().toLowerCase(Locale.ROOT));
        arguments.addAll(List.of(more));
        ConfigurableApplicationContext process =
                BerthApplication.of(Set.of(role)).run(arguments.toArray(String[]::new));
        started.add(process);
        return process;
    }

    @Override
    public void close() {
        started.forEach(ConfigurableApplicationContext::close);
        sqs.close();
        AWS.keySet().forEach(System::clearProperty);
        System.clearProperty("aws.endpointUrlSqs");
    }
}
