package dev.berth.acceptance.monitoring;

import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.RestClient;
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

/** The rules and dashboards in {@code infra/observability}, and what they name. */
final class Monitoring {
    static final Path ROOT = Path.of("").toAbsolutePath().resolve("..").normalize();
    static final Path FOLDER = ROOT.resolve("infra/observability");

    private static final Pattern METRIC =
            Pattern.compile("\\b(?:berth|temporal|http|jvm|process|hikaricp)_[a-z0-9_]*[a-z0-9]\\b");
    private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (\\w+)$");

    private static final Pattern TIME = Pattern.compile("(\\[|offset |for: )(\\d+)([ms])");

    private Monitoring() {}

    /** A panel of a dashboard and one of its queries. */
    record Query(String panel, String expression) {}

    private record Dashboard(List<Panel> panels) {}

    private record Panel(String title, List<Target> targets) {}

    private record Target(String expr) {}

    static String rules() throws IOException {
        return Files.readString(FOLDER.resolve("berth-rules.yml"));
    }

    /** The rules with this time instead of each time for which an expression must hold. */
    static String rulesPending(String time) throws IOException {
        return rules().replaceAll("(?m)^( +for: ).*$", "$1" + time);
    }

    /** The rules with all windows and pending times divided. Thresholds stay as they are. */
    static String rulesScaled(int factor) throws IOException {
        return TIME.matcher(rules()).replaceAll(time -> {
            int seconds = Integer.parseInt(time.group(2)) * (time.group(3).equals("m") ? 60 : 1);
            return time.group(1) + seconds / factor + "s";
        });
    }

    static Set<String> alerts() throws IOException {
        return ALERT.matcher(rules())
                .results()
                .map(alert -> alert.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static List<Query> queries() throws IOException {
        List<Query> queries = new ArrayList<>();
        try (Stream<Path> dashboards = Files.list(FOLDER.resolve("dashboards"))) {
            for (Path dashboard : dashboards.sorted().toList()) {
                for (Panel panel : JsonRecords.read(Files.readString(dashboard), Dashboard.class)
                        .panels()) {
                    String title = dashboard.getFileName() + ": " + panel.title();
                    for (Target target : panel.targets()) {
                        queries.add(new Query(title, target.expr()));
                    }
                }
            }
        }
        return queries;
    }

    /** Names of metrics in rules and panels. */
    static Set<String> named() throws IOException {
        String all = rules() + queries().stream().map(Query::expression).collect(Collectors.joining("\n"));
        return metricsIn(all);
    }

    static Set<String> metricsIn(String text) {
        return METRIC.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Names of the series of a scrape. */
    static Set<String> scraped(RestClient server) throws IOException, InterruptedException {
        return server.call("GET", "/actuator/prometheus", null)
                .raw()
                .body()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
