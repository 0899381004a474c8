package dev.berth.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MonthlyCostTest {
    private static final Prices PRICES = new Prices();

    @Test
    void hostsGrowWithUsers() {
        assertThat(new MonthlyCost(27, PRICES).workerHosts()).isEqualTo(1);
        assertThat(new MonthlyCost(28, PRICES).workerHosts()).isEqualTo(2);
        assertThat(new MonthlyCost(10_000, PRICES).workerHosts()).isEqualTo(371);
        assertThat(new MonthlyCost(10_000, PRICES).serviceHosts()).isEqualTo(6);
    }

    @Test
    void temporalCountsEachStepAtItsPrice() {
        assertThat(PRICES.temporal(0.5)).isEqualTo(100);
        assertThat(PRICES.temporal(7)).isCloseTo(100 + 4 * 50 + 2 * 45, within(0.01));
        assertThat(PRICES.temporal(300)).isEqualTo(100 + 200 + 225 + 400 + 1_050 + 1_500 + 2_500 + 2_500);
    }

    @Test
    void pageShowsWhatCommandComputes() throws Exception {
        List<String> page = Files.readAllLines(Path.of("../../docs/cloud.md"));
        assertThat(page).containsAll(MonthlyCost.table(MonthlyCost.USERS));
    }

    @Test
    void pageListsEverySizeAndSecret() throws Exception {
        List<String> page = Files.readAllLines(Path.of("../../docs/cloud.md"));
        assertThat(Arrays.stream(Size.values())
                        .map(size -> "| `" + size.key() + "` | "
                                + (size.standard().isEmpty() ? "" : "`" + size.standard() + "` ") + "| "
                                + size.meaning() + " |"))
                .allSatisfy(row -> assertThat(page).contains(row));
        assertThat(Arrays.stream(SecretName.values()).filter(secret -> !secret.isGenerated()))
                .allSatisfy(secret -> assertThat(page).anyMatch(line -> line.contains("`berth/" + secret.key() + "`")));
    }
}
