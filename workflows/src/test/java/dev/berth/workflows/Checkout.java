package dev.berth.workflows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The folder of this repository, from the folder of any module, in which its tests run. */
public final class Checkout {
    public static final Path ROOT = Stream.iterate(Path.of("").toAbsolutePath(), Path::getParent)
            .filter(folder -> Files.exists(folder.resolve("berth")))
            .findFirst()
            .orElseThrow();

    private Checkout() {}
}
