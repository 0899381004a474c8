package dev.berth.acceptance.overload;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** An agent that exhausts the heap of the JVM that loads it. */
public final class HeapFiller {
    private static final String CLASS_FILE = HeapFiller.class.getName().replace('.', '/') + ".class";

    private HeapFiller() {}

    /** Fills the heap in a separate thread, so that the agent call returns first. */
    @SuppressWarnings("unused")
    public static void agentmain(String arguments) {
        Thread.ofPlatform().name("heap-filler").start(() -> {
            Object[] kept = {};
            while (true) {
                kept = new Object[] {kept, new byte[1 << 24]};
            }
        });
    }

    /** Makes the process run out of memory soon after this call returns. */
    static void fill(long pid, Path folder) throws IOException {
        Path jar = jar(folder.resolve("heap-filler.jar"));
        try {
            VirtualMachine process = VirtualMachine.attach(Long.toString(pid));
            try {
                process.loadAgent(jar.toString());
            } finally {
                process.detach();
            }
        } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException refused) {
            throw new IOException(refused);
        }
    }

    private static Path jar(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Agent-Class"), HeapFiller.class.getName());
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest);
                InputStream self =
                        Objects.requireNonNull(HeapFiller.class.getClassLoader().getResourceAsStream(CLASS_FILE))) {
            out.putNextEntry(new JarEntry(CLASS_FILE));
            self.transferTo(out);
        }
        return jar;
    }
}
