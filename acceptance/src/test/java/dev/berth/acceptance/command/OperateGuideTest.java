package dev.berth.acceptance.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs every command of {@code docs/operate.md}. */
@ExtendWith(StackExtension.class)
class OperateGuideTest {
    private static final Path GUIDE = Path.of("../docs/operate.md");
    private static final Pattern BLOCK = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL);
    private static final String PROMPT = "$ ";

    private final Stack stack;

    OperateGuideTest(Stack stack) {
        this.stack = stack;
    }

    /** @param expected lines of the page, in which … stands for anything */
    private record Example(String command, List<String> expected) {
        /** Each line matches a line of the output, in their order. */
        private Pattern pattern() {
            String lines = expected.stream()
                    .map(line -> Stream.of(line.split("…", -1))
                            .map(text -> text.isEmpty() ? "" : Pattern.quote(text))
                            .collect(Collectors.joining(".*")))
                    .collect(Collectors.joining("(?s:.*)", "(?s:.*)", "(?s:.*)"));
            return Pattern.compile(lines);
        }

        /** Temporal's visibility follows its workflows. */
        private boolean isAhead(FinishedCommand done) {
            return command.matches(".* workflow (list|count) .*")
                    && !pattern().matcher(done.out()).matches();
        }
    }

    private static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        for (var block = BLOCK.matcher(Files.readString(GUIDE)); block.find(); ) {
            for (String line : block.group(1).lines().toList()) {
                if (line.startsWith(PROMPT)) {
                    examples.add(new Example(line.substring(PROMPT.length()), new ArrayList<>()));
                } else {
                    examples.getLast().expected().add(line);
                }
            }
        }
        return examples;
    }

    @Test
    @Tag("X12")
    @DisplayName("Every command of the operators' guide does what the guide says")
    void commandsDoWhatTheGuideSays(@TempDir Path folder) throws Exception {
        List<Example> examples = examples();
        assertThat(examples).hasSizeGreaterThan(35);
        SoftAssertions softly = new SoftAssertions();
        Eventually.fullPool(RedisKeyspace.of(stack));
        Trader ann = stack.trader("ann");
        ann.post("/v1/worker");
        Eventually.activeWorker(ann, 1, Duration.ofSeconds(60));
        for (Example example : examples) {
            FinishedCommand done = run(example, folder);
            for (int again = 0; again < 10 && example.isAhead(done); again++) {
                done = run(example, folder);
            }
            softly.assertThat(done.status())
                    .as("%s%n%s", example.command(), done.out())
                    .isZero();
            softly.assertThat(done.out()).as(example.command()).matches(example.pattern());
        }
        softly.assertAll();
    }

    private FinishedCommand run(Example example, Path folder) throws Exception {
        ProcessBuilder shell = new ProcessBuilder(
                        "bash", "-c", example.command().replaceFirst("^\\./berth", "\"\\$BERTH\""))
                .directory(folder.toFile())
                .redirectErrorStream(true);
        shell.environment().putAll(stack.environment());
        shell.environment().put("BERTH", stack.root().resolve("berth").toString());
        return FinishedCommand.run(shell);
    }
}
