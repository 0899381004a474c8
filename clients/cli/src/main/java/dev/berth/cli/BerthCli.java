package dev.berth.cli;

import dev.berth.cli.Commands.Action;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The commands of {@code ./berth} that call the API. Exit codes: 0 done; 1 refused or failed; 2
 * wrong usage; 3 the API is not reachable.
 */
public final class BerthCli {
    private final Output output;
    private final CommandLine commandLine;

    private BerthCli(ApiAccess access, Output output) {
        this.output = output;
        CommandSpec root = Commands.command("./berth", "Berth's command line", _ -> {
                    throw CommandFailure.wrongUsage("a command is missing.");
                })
                .addOption(Commands.inherited("text|json|csv", "-o", "--output"))
                .addOption(Commands.help());
        new OperatorCommands(access, output).addTo(root);
        new EventCommands(access, output).addTo(root);
        new AuditCommands(access, output).addTo(root);
        new IdentityCommands(access, output).addTo(root);
        new ArchiveCommands(access, output).addTo(root);
        new GroupCommands(access, output).addTo(root);
        new PoolCommands(access, output).addTo(root);
        new WorkerCommands(access, output).addTo(root);
        new OrderCommands(access, output).addTo(root);
        new AccountCommands(access, output).addTo(root);
        new FillCommands(access, output).addTo(root);
        new WebhookCommands(access, output).addTo(root);
        this.commandLine = new CommandLine(root).setExpandAtFiles(false);
    }

    static void main(String[] arguments) {
        // The locale may know no character beyond ASCII.
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), false, StandardCharsets.UTF_8);
        int exitCode = run(System.getenv(), out, err, arguments);
        out.flush();
        System.exit(exitCode);
    }

    static int run(Map<String, String> variables, PrintStream out, PrintStream err, String... arguments) {
        return new BerthCli(ApiAccess.of(variables), new Output(out, err)).run(arguments);
    }

    private int run(String... arguments) {
        try {
            Invocation invocation = Invocation.of(commandLine.parseArgs(arguments));
            output.format(
                    invocation.value("--output"),
                    Commands.hasCsv(invocation.command().commandSpec()));
            execute(invocation);
            return 0;
        } catch (ParameterException wrong) {
            return fail(CommandFailure.wrongUsage(String.valueOf(wrong.getMessage())));
        } catch (CommandFailure failure) {
            return fail(failure);
        }
    }

    private void execute(Invocation invocation) {
        CommandSpec command = invocation.command().commandSpec();
        if (invocation.command().isUsageHelpRequested()) {
            output.text(command.commandLine().getUsageMessage(Ansi.OFF));
        } else {
            ((Action) command.userObject()).run(invocation);
        }
    }

    private int fail(CommandFailure failure) {
        output.failure(failure);
        return failure.exitCode();
    }
}
