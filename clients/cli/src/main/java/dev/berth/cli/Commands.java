package dev.berth.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ScopeType;

/**
 * Describes commands to picocli without its annotations, which cost a quarter of a second at every
 * start ({@code docs/decisions/2026-11-28-cli-start.md}).
 */
final class Commands {
    private Commands() {}

    /** What a command does. */
    interface Action {
        void run(Invocation invocation);
    }

    /** What a command does that can also show CSV. */
    interface CsvAction extends Action {}

    /** A command that can also show CSV. */
    static CommandSpec csvCommand(String name, String description, CsvAction action) {
        return command(name, description, action);
    }

    static boolean hasCsv(CommandSpec command) {
        return command.userObject() instanceof CsvAction;
    }

    static CommandSpec command(String name, String description, Action action) {
        CommandSpec command = CommandSpec.wrapWithoutInspection(action).name(name);
        command.usageMessage().description(description);
        return command;
    }

    static OptionSpec flag(String... names) {
        return OptionSpec.builder(names).arity("0").type(boolean.class).build();
    }

    static OptionSpec value(String name, String label) {
        return OptionSpec.builder(name)
                .arity("1")
                .type(String.class)
                .paramLabel(label)
                .build();
    }

    /** An option that may be given several times. */
    static OptionSpec repeatable(String name, String label) {
        return OptionSpec.builder(name)
                .arity("1")
                .type(String[].class)
                .paramLabel(label)
                .build();
    }

    /** An option that may also stand before, or after, every subcommand. */
    static OptionSpec inherited(String label, String... names) {
        return OptionSpec.builder(names)
                .arity("1")
                .type(String.class)
                .paramLabel(label)
                .scopeType(ScopeType.INHERIT)
                .build();
    }

    static OptionSpec inheritedFlag(String name) {
        return OptionSpec.builder(name).scopeType(ScopeType.INHERIT).build();
    }

    static OptionSpec help() {
        return OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .scopeType(ScopeType.INHERIT)
                .build();
    }

    static PositionalParamSpec argument(String label) {
        return argument(0, label);
    }

    /** @param position from 0 */
    static PositionalParamSpec argument(int position, String label) {
        return single(position, label).arity("1").required(true).build();
    }

    static PositionalParamSpec optionalArgument(String label) {
        return optionalArgument(0, label);
    }

    /** @param position from 0 */
    static PositionalParamSpec optionalArgument(int position, String label) {
        return single(position, label).arity("0..1").required(false).build();
    }

    /** Any number of arguments. */
    static PositionalParamSpec arguments(String label) {
        return PositionalParamSpec.builder()
                .arity("0..*")
                .type(String[].class)
                .paramLabel(label)
                .build();
    }

    private static PositionalParamSpec.Builder single(int position, String label) {
        return PositionalParamSpec.builder()
                .index(Integer.toString(position))
                .type(String.class)
                .paramLabel(label);
    }
}
