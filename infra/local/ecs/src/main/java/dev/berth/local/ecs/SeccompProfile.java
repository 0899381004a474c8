package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * The default filter of system calls of podman, from its package, as runc wants it: for a container
 * without capabilities on this architecture.
 */
final class SeccompProfile {
    private static final List<Path> PLACES =
            List.of(Path.of("/etc/containers/seccomp.json"), Path.of("/usr/share/containers/seccomp.json"));

    private SeccompProfile() {}

    /** @throws IOException if podman's package is not installed */
    static ObjectNode read() throws IOException {
        for (Path place : PLACES) {
            if (Files.exists(place)) {
                return convert(EcsJson.MAPPER.readTree(place.toFile()), architecture());
            }
        }
        throw new IOException("There is no seccomp profile at " + PLACES + "; install podman or containers-common.");
    }

    /** @param architecture in Go's terms, such as {@code amd64} */
    static ObjectNode convert(JsonNode profile, String architecture) {
        ObjectNode filter = EcsJson.object();
        filter.set("defaultAction", profile.path("defaultAction"));
        filter.set("defaultErrnoRet", profile.path("defaultErrnoRet"));
        String machine = architecture.equals("amd64") ? "SCMP_ARCH_X86_64" : "SCMP_ARCH_AARCH64";
        ArrayNode architectures = filter.putArray("architectures");
        for (JsonNode known : profile.path("archMap")) {
            if (known.path("architecture").asText().equals(machine)) {
                architectures.add(machine);
                known.path("subArchitectures").forEach(architectures::add);
            }
        }
        ArrayNode calls = filter.putArray("syscalls");
        for (JsonNode rule : profile.path("syscalls")) {
            if (applies(rule, architecture)) {
                calls.add(rule((ObjectNode) rule));
            }
        }
        return filter;
    }

    private static boolean applies(JsonNode rule, String architecture) {
        JsonNode includes = rule.path("includes");
        boolean isForArchitecture = includes.path("arches").isEmpty() || has(includes.path("arches"), architecture);
        return isForArchitecture
                && includes.path("caps").isEmpty()
                && !has(rule.path("excludes").path("arches"), architecture);
    }

    private static ObjectNode rule(ObjectNode rule) {
        ObjectNode converted = EcsJson.object();
        converted.set("names", rule.path("names"));
        converted.set("action", rule.path("action"));
        if (rule.has("errnoRet")) {
            converted.set("errnoRet", rule.path("errnoRet"));
        }
        if (!rule.path("args").isEmpty()) {
            converted.set("args", rule.path("args"));
        }
        return converted;
    }

    private static boolean has(JsonNode names, String name) {
        return StreamSupport.stream(names.spliterator(), false)
                .anyMatch(it -> it.asText().equals(name));
    }

    private static String architecture() {
        return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    }
}
