package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the API runs with; the build writes it to a file, which also starts it. */
class ClassPathTest {
    private static List<String> jars() throws Exception {
        return List.of(Files.readString(Path.of("target", "classpath")).split(File.pathSeparator));
    }

    @Test
    void noTestServerIsDeployed() throws Exception {
        assertThat(jars())
                .anyMatch(jar -> jar.contains("temporal-sdk"))
                .noneMatch(jar -> jar.contains("temporal-testing"))
                .noneMatch(jar -> jar.contains("temporal-test-server"))
                .noneMatch(jar -> jar.contains("berth-local"))
                .noneMatch(jar -> jar.contains("junit"));
    }

    @Test
    void workerHostIsNotDeployed() throws Exception {
        assertThat(jars()).noneMatch(jar -> jar.contains("berth-worker-host"));
    }
}
