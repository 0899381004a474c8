package dev.berth.local.ecs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs programs of this machine, such as runc. */
final class HostCommand {
    private HostCommand() {}

    /** @throws IOException with its output if it does not end with 0 */
    static void run(List<String> command) throws IOException {
        run(command, InputStream.nullInputStream());
    }

    /** @param input its standard input */
    static void run(List<String> command, InputStream input) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (OutputStream stdin = process.getOutputStream()) {
            input.transferTo(stdin);
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        await(process, command, output);
    }

    /** @param output what the message of a failure ends with */
    static void await(Process process, List<String> command, String output) throws IOException {
        int code;
        try {
            code = process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        if (code != 0) {
            throw new IOException(command.getFirst() + " ended with " + code + ": " + output.strip());
        }
    }
}
