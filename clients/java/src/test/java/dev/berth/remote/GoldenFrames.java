package dev.berth.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The frames that all sides agreed on. */
final class GoldenFrames {
    private GoldenFrames() {}

    static ObjectNode read(String name) {
        try {
            return (ObjectNode) SdkFrames.read(Files.readString(Path.of("../frames", name + ".json")));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }
}
