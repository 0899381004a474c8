package dev.berth.local.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Whether workers run as processes or, from their image, as containers. */
record TaskIsolation(Map<String, String> environment) {

    /** By {@code BERTH_LOCAL_ISOLATION}: {@code process}, the default, or {@code container}. */
    static TaskIsolation of(Map<String, String> environment) {
        String isolation = environment.getOrDefault("BERTH_LOCAL_ISOLATION", "process");
        if (!isolation.equals("process") && !isolation.equals("container")) {
            throw new IllegalArgumentException("BERTH_LOCAL_ISOLATION is process or container, not " + isolation);
        }
        return new TaskIsolation(environment);
    }

    boolean isContainer() {
        return environment.getOrDefault("BERTH_LOCAL_ISOLATION", "").equals("container");
    }

    /** The unpacked images. */
    Path images() {
        return folder("BERTH_LOCAL_IMAGES");
    }

    /** Where the training run of a container writes its class archive. */
    Path archives(String image) {
        return isContainer() ? images().resolve(image).resolve("archive") : Path.of("/");
    }

    /** Empty: that of the image. */
    List<String> workerEntryPoint() throws IOException {
        return isContainer() ? List.of() : Files.readAllLines(folder("BERTH_WORKER_COMMAND"));
    }

    List<String> trainingEntryPoint() throws IOException {
        return isContainer()
                ? List.of(
                        "/opt/java/openjdk/bin/java", "-XX:AOTCacheOutput=/archive/classes.aot", "@/opt/berth/program")
                : Files.readAllLines(folder("BERTH_TRAINING_COMMAND"));
    }

    private Path folder(String name) {
        String value = environment.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is not set. Start the stack with ./berth up.");
        }
        return Path.of(value);
    }
}
