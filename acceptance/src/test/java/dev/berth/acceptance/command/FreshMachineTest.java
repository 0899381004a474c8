package dev.berth.acceptance.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.security.auth.module.UnixSystem;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TestStack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of the README on machines and in shells of all kinds. */
@Tag("long")
@ExtendWith(StackExtension.class)
@Tag("X34")
class FreshMachineTest {
    private final Stack stack;

    FreshMachineTest(Stack stack) {
        this.stack = stack;
    }

    @ParameterizedTest
    @ValueSource(strings = {"info", "token alice", "temporal workflow count", "verify --user unknown"})
    @DisplayName("A command needs neither HOME nor JAVA_HOME, and ends with 0")
    void commandNeedsNoHome(String command) throws Exception {
        ProcessBuilder berth = berth(stack, command);
        berth.environment().keySet().removeAll(List.of("HOME", "JAVA_HOME", "USER"));
        FinishedCommand ended = FinishedCommand.run(berth);
        assertThat(ended.status()).as(ended.out() + ended.errors()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"ar, EG", "fa, IR", "mr, IN"})
    @DisplayName("A token of a machine with other digits counts")
    void tokenCountsWithOtherDigits(String language, String country) throws Exception {
        ProcessBuilder berth = berth(stack, "token alice");
        berth.environment().put("JAVA_TOOL_OPTIONS", "-Duser.language=" + language + " -Duser.country=" + country);
        // With the address of an API the command keeps the caller's environment.
        berth.environment().put("BERTH_API_URL", "http://127.0.0.1:" + stack.port("API", 8080));
        Trader alice = new Trader(
                stack.api(), "alice", FinishedCommand.run(berth).out().strip());
        assertThat(alice.get("/v1/orders").status()).isEqualTo(200);
    }

    @Test
    @DisplayName("Before any up, verify says that no stack is reachable, and ends with 3")
    void verifyBeforeUpFindsNoStack() throws Exception {
        FinishedCommand ended = FinishedCommand.run(berth(TestStack.describe("never-up"), "verify"));
        assertThat(ended.status()).isEqualTo(3);
        assertThat(ended.errors()).contains("./berth up").doesNotContain("\tat ");
    }

    @Test
    @DisplayName("A hard limit of 256 open files is named before anything starts")
    void lowLimitOfOpenFilesIsNamed() throws Exception {
        ProcessBuilder berth = berth(TestStack.describe("never-up"), "up");
        berth.command().addAll(0, List.of("bash", "-c", "ulimit -n 256 && exec \"$@\"", "bash"));
        FinishedCommand ended = FinishedCommand.run(berth);
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.errors()).contains("256 open files", "ulimit");
    }

    @Test
    @DisplayName("A folder in which Temporal's database would lie elsewhere is named before anything starts")
    void unusableFolderIsNamed() throws Exception {
        FinishedCommand ended = FinishedCommand.run(berth(TestStack.describe("never%2Fup"), "up"));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.errors()).contains("never%2Fup", "BERTH_HOME");
    }

    @Test
    @DisplayName("A command that is called by a link to a link is that of its checkout")
    void linkedCommandIsOfItsCheckout(@TempDir Path folder) throws Exception {
        Path first =
                Files.createSymbolicLink(folder.resolve("first"), stack.root().resolve("berth"));
        Path second = Files.createSymbolicLink(folder.resolve("second"), first.getFileName());
        ProcessBuilder berth = berth(stack, "token alice");
        berth.command().set(0, second.toString());
        FinishedCommand ended = FinishedCommand.run(berth);
        assertThat(ended.status()).as(ended.errors()).isZero();
        assertThat(folder).isDirectoryNotContaining("glob:**.berth");
    }

    @Test
    @DisplayName("In a folder with a blank and an accent, beside the variables of other programs, a stack"
            + " comes up with idle workers, and one of them fills the first order")
    void stackOfAnyShellTrades() throws Exception {
        try (TestStack started =
                TestStack.start(TestStack.describe("fresh st\u00e4ck").with(callersEnvironment()))) {
            Trader first = started.stack().trader("first");
            assertThat(first.submit(OrderBody.market("o-1", "AAPL", "buy", "1"), 30)
                            .text("status"))
                    .isEqualTo("FILLED");
            assertThat(first.worker().origin()).isEqualTo("CLAIM");
        }
    }

    @ParameterizedTest
    @CsvSource({"ps, procps", "unshare, user namespace"})
    @DisplayName("A program that cannot do what is needed of it is named before anything starts")
    void unfitProgramIsNamed(String program, String named, @TempDir Path folder) throws Exception {
        assumeTrue(program.equals("ps") || new UnixSystem().getUid() == 0);
        Path unfit = Files.writeString(folder.resolve(program), "#!/bin/sh\nexit 1\n");
        assertThat(unfit.toFile().setExecutable(true)).isTrue();
        ProcessBuilder berth = berth(TestStack.describe("never-up"), "up");
        berth.environment().merge("PATH", folder.toString(), (path, first) -> first + ":" + path);
        FinishedCommand ended = FinishedCommand.run(berth);
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.errors()).contains(named);
    }

    @Test
    @DisplayName("After a power cut pid files may name other processes, which up and down leave alone; and down knows"
            + " its stack by any spelling of the folder")
    void upAfterPowerCutLeavesOtherProcesses() throws Exception {
        while (!Processes.of(stack).isEmpty()) {
            for (long pid : Processes.of(stack)) {
                Processes.signalIfAlive(pid, "KILL");
            }
        }
        Path home = stack.home();
        // Passes for a server of this stack, by what stands in its command line.
        Process other = new ProcessBuilder("sh", "-c", "read line", home.toString()).start();
        try {
            Files.writeString(home.resolve("run/api.pid"), other.pid() + "\n");
            FinishedCommand up = FinishedCommand.run(berth(stack, "up"));
            assertThat(up.status()).as(up.errors()).isZero();
            assertThat(stack.trader("first").get("/v1/orders").status()).isEqualTo(200);
            ProcessBuilder down = berth(stack, "down");
            down.environment().put("BERTH_HOME", home + "/../" + home.getFileName() + "/.");
            assertThat(FinishedCommand.run(down).status()).isZero();
            assertThat(Processes.of(stack)).containsExactly(other.pid());
        } finally {
            other.destroyForcibly().waitFor();
            stack.berth("up");
        }
    }

    private static ProcessBuilder berth(Stack stack, String arguments) {
        ProcessBuilder berth = new ProcessBuilder(
                new ArrayList<>(List.of(stack.root().resolve("berth").toString())));
        berth.command().addAll(List.of(arguments.split(" ")));
        berth.environment().putAll(stack.environment());
        return berth;
    }

    /** What shells have for other programs. Nothing answers at port 9. */
    private static Map<String, String> callersEnvironment() {
        Map<String, String> caller = new HashMap<>(Map.of(
                "AWS_USE_FIPS_ENDPOINT", "true",
                "AWS_USE_DUALSTACK_ENDPOINT", "true",
                "AWS_PROFILE", "other",
                "PGHOST", "nowhere",
                "PGOPTIONS", "-c nothing=1",
                "TEMPORAL_TLS", "true",
                "OTEL_BSP_SCHEDULE_DELAY", "often",
                "LC_ALL", "POSIX",
                "CDPATH", "/tmp"));
        caller.putAll(Map.of(
                "JAVA_TOOL_OPTIONS", "-Duser.language=ar -Duser.country=EG",
                "SPRING_CONFIG_LOCATION", "/nowhere/",
                "SPRING_MAIN_WEB_APPLICATION_TYPE", "none",
                "SERVER_SERVLET_CONTEXT_PATH", "/other",
                "MANAGEMENT_SERVER_PORT", "1"));
        for (String proxy : List.of("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY")) {
            caller.put(proxy, "http://127.0.0.1:9");
        }
        caller.put("NO_PROXY", "localhost,127.0.0.0/8");
        // Names that bash cannot hold, and a zone that PostgreSQL does not know.
        caller.put("server.servlet.context-path", "/other");
        caller.put("BASH_FUNC_cd%%", "() { builtin cd \"$@\" && echo moved; }");
        caller.put("PS_PERSONALITY", "bsd");
        caller.put("TZ", "IST");
        return caller;
    }
}
