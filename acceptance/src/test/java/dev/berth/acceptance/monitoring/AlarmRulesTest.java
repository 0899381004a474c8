package dev.berth.acceptance.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.acceptance.stack.FinishedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AlarmRulesTest {
    private static final Path RUNBOOKS = Monitoring.ROOT.resolve("docs/runbooks");
    private static final Pattern COMMAND = Pattern.compile("`\\./berth ([a-z-]+)");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)\\)");

    private static FinishedCommand promtool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        return FinishedCommand.run(new ProcessBuilder(command)
                .directory(Monitoring.FOLDER.toFile())
                .redirectErrorStream(true));
    }

    @Test
    @Tag("B9")
    @DisplayName("promtool accepts the rules, and each alarm fires by its fault and not before it")
    void everyAlarmFires() throws Exception {
        assumeTrue(FinishedCommand.isInstalled("promtool"), "promtool is not installed: apt-get install prometheus");
        for (String[] check : new String[][] {
            {"check", "config", "prometheus.yml"},
            {"check", "rules", "berth-rules.yml"},
            {"test", "rules", "berth-rules-test.yml"}
        }) {
            FinishedCommand ended = promtool(check);
            assertThat(ended.status()).as("%s", ended.out()).isZero();
        }
        if (Alertmanager.isInstalled()) {
            FinishedCommand checked =
                    FinishedCommand.run(new ProcessBuilder("amtool", "check-config", "alertmanager.yml")
                            .directory(Monitoring.FOLDER.toFile())
                            .redirectErrorStream(true));
            assertThat(checked.status()).as("%s", checked.out()).isZero();
        }
        String tests = Files.readString(Monitoring.FOLDER.resolve("berth-rules-test.yml"));
        assertThat(Monitoring.alerts())
                .hasSizeGreaterThan(20)
                .allSatisfy(alert -> assertThat(tests)
                        .contains("alertname: " + alert + "\n        exp_alerts:\n          - exp_labels:"));
    }

    @Test
    @Tag("B9")
    @DisplayName("Each alarm has a runbook page with cause, look and do, and each page an alarm")
    void everyAlarmHasRunbook() throws Exception {
        Set<String> pages = new TreeSet<>();
        try (Stream<Path> files = Files.list(RUNBOOKS)) {
            // The others are for no alarm.
            for (Path file : files.filter(path -> path.getFileName().toString().startsWith("Berth"))
                    .toList()) {
                String page = Files.readString(file);
                pages.add(file.getFileName().toString().replace(".md", ""));
                assertThat(page).contains("\n## Cause\n", "\n## Look\n", "\n## Do\n");
                for (MatchResult link : LINK.matcher(page).results().toList()) {
                    assertThat(RUNBOOKS.resolve(link.group(1)))
                            .as("a link of %s", file)
                            .exists();
                }
            }
        }
        assertThat(pages).isEqualTo(Monitoring.alerts());
        assertThat(Monitoring.rules())
                .contains(pages.stream()
                        .map(page -> "runbook: docs/runbooks/" + page + ".md")
                        .toList());
    }

    @Test
    @DisplayName("Each command of a runbook is one of ./berth help")
    void runbookCommandsExist() throws Exception {
        FinishedCommand help = FinishedCommand.run(
                new ProcessBuilder(Monitoring.ROOT.resolve("berth").toString(), "help"));
        Set<String> named = new TreeSet<>();
        try (Stream<Path> files = Files.list(RUNBOOKS)) {
            for (Path file : files.toList()) {
                COMMAND.matcher(Files.readString(file))
                        .results()
                        .map(command -> command.group(1))
                        .forEach(named::add);
            }
        }
        assertThat(named)
                .hasSizeGreaterThan(5)
                .allSatisfy(command -> assertThat(help.out()).contains("./berth " + command));
    }

    @Test
    @DisplayName("The monitoring page explains each of Berth's metrics that a rule or panel names")
    void pageNamesMetrics() throws Exception {
        String page = Files.readString(Monitoring.ROOT.resolve("docs/monitoring.md"));
        Set<String> ours = Monitoring.named().stream()
                .filter(metric -> metric.startsWith("berth_"))
                .map(metric -> metric.replaceAll("_(bucket|sum|count|max)$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(ours).allSatisfy(metric -> assertThat(page).contains("`" + metric));
    }
}
