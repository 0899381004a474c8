package dev.berth.process.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/settings.md} beside the code. */
class SettingsPageTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern DEFAULT_PORT = Pattern.compile("\\$\\{(BERTH_[A-Z]+_PORT):=(\\d+)}");
    private static final Pattern WORKER_VARIABLE = Pattern.compile("\"((?:BERTH|ECS)_[A-Z0-9_]+)\"");

    private static List<String> page() throws Exception {
        return Files.readAllLines(ROOT.resolve("docs/settings.md"));
    }

    private static Set<String> names() throws Exception {
        return BerthSettingsTest.flat("berth.", BerthSettingsTest.start()).keySet();
    }

    @Test
    void listsEverySettingWithItsVariable() throws Exception {
        List<String> page = page();
        for (String name : names()) {
            String variable = name.toUpperCase(Locale.ROOT).replace('-', '_').replace('.', '_');
            assertThat(page).as(name).anyMatch(line -> line.startsWith("| `" + name + "` | `" + variable + "` | "));
        }
    }

    @Test
    void listsNoUnknownSetting() throws Exception {
        Set<String> listed = page().stream()
                .filter(line -> line.startsWith("| `berth."))
                .map(line -> line.split("`", 3)[1])
                .collect(Collectors.toSet());
        assertThat(listed).isEqualTo(names());
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
        assertThat(found).isEqualTo(10);
    }

    @Test
    void listsEveryWorkerVariable() throws Exception {
        List<String> page = page();
        Path host = ROOT.resolve("worker-host/src/main/java/dev/berth/host");
        StringBuilder sources = new StringBuilder();
        for (String source :
                List.of("WorkerSettings", "WorkerLimits", "gateway/GatewayEndpoint", "broker/AlpacaEndpoints")) {
            sources.append(Files.readString(host.resolve(source + ".java")));
        }
        assertThat(WORKER_VARIABLE.matcher(sources).results().map(variable -> variable.group(1)))
                .hasSizeGreaterThan(8)
                .allSatisfy(name -> assertThat(page).anyMatch(line -> line.startsWith("| `" + name + "` | ")));
    }
}
