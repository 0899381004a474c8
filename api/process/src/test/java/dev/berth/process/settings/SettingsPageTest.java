package dev.berth.process.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** {@code docs/settings.md} beside the code. */
class SettingsPageTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path PAGE = ROOT.resolve("docs/settings.md");
    private static final Pattern ROW = Pattern.compile(
            "\\| `(?<name>berth\\.[\\w.-]+)` \\| `\\w+` \\| (?<unit>.*?) \\| (?<default>.*?) \\| (?<reason>.*) \\|");
    private static final Pattern DEFAULT_PORT = Pattern.compile("\\$\\{(BERTH_[A-Z]+_PORT):=(\\d+)}");
    private static final Pattern WORKER_VARIABLE = Pattern.compile("\"((?:BERTH|ECS)_[A-Z0-9_]+)\"");

    private static List<String> page() throws Exception {
        return Files.readAllLines(PAGE);
    }

    /** Every setting with its default as the page writes it; empty where the code has none. */
    private static Map<String, String> defaults(String prefix, Class<?> settings) throws NoSuchMethodException {
        Map<String, String> all = new LinkedHashMap<>();
        Class<?>[] types = Arrays.stream(settings.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        for (Parameter component : settings.getDeclaredConstructor(types).getParameters()) {
            String name = prefix + BerthSettingsTest.kebab(component.getName());
            if (component.getType().isRecord()) {
                all.putAll(defaults(name + ".", component.getType()));
            } else {
                DefaultValue value = component.getAnnotation(DefaultValue.class);
                String text = value == null ? "" : String.join("`, `", value.value());
                all.put(name, text.isEmpty() ? "" : "`" + text + "`");
            }
        }
        return all;
    }

    private static String row(String name, String unit, String value, String reason) {
        String variable = name.toUpperCase(Locale.ROOT).replace('-', '_').replace('.', '_');
        return "| `" + name + "` | `" + variable + "` | " + unit + " | " + value + " | " + reason + " |";
    }

    /**
     * The rows of Berth's own settings with name, variable and default as the code has them. Unit,
     * reason, and the words for a default that the code has not, are the page's own. A setting
     * without a row gets one behind the setting before it.
     */
    private static List<String> generated(List<String> page) throws NoSuchMethodException {
        List<Map.Entry<String, String>> settings =
                List.copyOf(defaults("berth.", BerthSettings.class).entrySet());
        List<String> names = settings.stream().map(Map.Entry::getKey).toList();
        Set<String> listed = page.stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> row.group("name"))
                .collect(Collectors.toSet());
        List<String> generated = new ArrayList<>();
        for (String line : page) {
            Matcher row = ROW.matcher(line);
            if (!row.matches()) {
                generated.add(line);
                continue;
            }
            int index = names.indexOf(row.group("name"));
            if (index >= 0) {
                String value = settings.get(index).getValue();
                generated.add(row(
                        names.get(index),
                        row.group("unit"),
                        value.isEmpty() ? row.group("default") : value,
                        row.group("reason")));
                while (++index < names.size() && !listed.contains(names.get(index))) {
                    generated.add(row(names.get(index), "", settings.get(index).getValue(), ""));
                }
            }
        }
        return generated;
    }

    @Test
    @DisplayName(
            "The rows are those of the code: -Dberth.record-settings=true writes them; units and reasons are there")
    void rowsAreThoseOfTheCode() throws Exception {
        if (Boolean.getBoolean("berth.record-settings")) {
            Files.write(PAGE, generated(page()));
        }
        assertThat(page()).isEqualTo(generated(page()));
        assertThat(page())
                .filteredOn(line -> line.startsWith("| `berth."))
                .hasSizeGreaterThan(70)
                .noneMatch(line -> line.contains("|  |"));
    }

    @Test
    @DisplayName("A row of an unknown setting goes, another default is replaced, and a missing row comes")
    void otherRowsAreReplaced() throws Exception {
        assertThat(generated(List.of(
                        "text",
                        "| `berth.gone` | `BERTH_GONE` | URI | none | because |",
                        "| `berth.redis-uri` | `BERTH_REDIS_URI` | URI | none, must be set | because |",
                        "| `berth.ecs.cluster` | `BERTH_CLUSTER` | name | `other` | because |",
                        "end")))
                .startsWith("text", "| `berth.redis-uri` | `BERTH_REDIS_URI` | URI | none, must be set | because |")
                .contains("| `berth.roles` | `BERTH_ROLES` |  | `api`, `orchestrator` |  |")
                .contains("| `berth.ecs.cluster` | `BERTH_ECS_CLUSTER` | name | `berth` | because |")
                .doesNotContain("| `berth.gone` | `BERTH_GONE` | URI | none | because |")
                .endsWith("end");
    }

    @Test
    void listsPortsOfLocalStack() throws Exception {
        List<String> page = page();
        var ports = DEFAULT_PORT.matcher(Files.readString(ROOT.resolve("infra/local/lib/environment.sh")));
        int found = 0;
        while (ports.find()) {
            String row = "| `" + ports.group(1) + "` | `" + ports.group(2) + "` | ";
            assertThat(page).anyMatch(line -> line.startsWith(row));
            found++;
        }
        assertThat(found).isEqualTo(11);
    }

    @Test
    void listsEveryWorkerVariable() throws Exception {
        List<String> page = page();
        Path host = ROOT.resolve("worker-host/src/main/java/dev/berth/host");
        StringBuilder sources = new StringBuilder();
        for (String source : List.of(
                "WorkerSettings",
                "WorkerLimits",
                "gateway/GatewayEndpoint",
                "broker/AlpacaEndpoints",
                "broker/fix/FixSettings")) {
            sources.append(Files.readString(host.resolve(source + ".java")));
        }
        assertThat(WORKER_VARIABLE.matcher(sources).results().map(variable -> variable.group(1)))
                .hasSizeGreaterThan(8)
                .allSatisfy(name -> assertThat(page).anyMatch(line -> line.startsWith("| `" + name + "` | ")));
    }
}
