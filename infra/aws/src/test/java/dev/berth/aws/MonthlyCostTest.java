package dev.berth.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.workflows.UserGroup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MonthlyCostTest {
    private static final Prices PRICES = new Prices();

    @Test
    void hostsGrowWithUsersAndPool() {
        assertThat(cost(25).workerHosts(UserGroup.DEFAULT)).isEqualTo(1);
        assertThat(cost(26).workerHosts(UserGroup.DEFAULT)).isEqualTo(2);
        assertThat(cost(25, "pool-target=3").workerHosts(UserGroup.DEFAULT)).isEqualTo(2);
        assertThat(cost(10_000).workerHosts(UserGroup.DEFAULT)).isEqualTo(371);
        assertThat(cost(10_000).serviceHosts()).isEqualTo(6);
    }

    @Test
    @DisplayName("A group costs the host that holds its pool, and its alarms")
    void groupAddsHostsAndAlarms() {
        double host = 0.126 * 730 + 50 * 0.08;
        double alarms = 2 * 0.10;
        MonthlyCost grouped = cost(1_000, "groups=gold,free");
        assertThat(grouped.lines())
                .containsEntry("worker hosts", 38 * host)
                .containsEntry("worker hosts of gold", host)
                .containsEntry("worker hosts of free", host);
        assertThat(grouped.total() - cost(1_000).total()).isCloseTo(2 * (host + alarms), within(0.001));
        assertThat(cost(1_000, "groups=gold", "worker-hosts=3").lines())
                .containsEntry("worker hosts of gold", 3 * host);
    }

    @Test
    void alarmsAreThoseOfTheTemplates() {
        double templates =
                Synthesis.SELF_HOSTED.resources("AWS::CloudWatch::Alarm").count();
        double upkeep = cost(1_000, "groups=gold,free").lines().getOrDefault("logs, alarms, keys, secrets", 0.0);
        double withoutAlarms = 1_000 * 0.1 * 0.50 + 7 * 1.00 + SecretName.values().length * 0.40 + 3.00;
        assertThat(upkeep - withoutAlarms).isCloseTo(templates * 0.10, within(0.001));
    }

    @Test
    void sizeWithoutPriceIsRefused() {
        assertThatThrownBy(() -> cost(1_000, "database=m6g.xlarge"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("database is counted at its standard size only.");
    }

    private static MonthlyCost cost(int users, String... changes) {
        return new MonthlyCost(users, Sizes.of(List.of(changes)), PRICES);
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
        assertThat(page).containsAll(MonthlyCost.table(MonthlyCost.USERS, Sizes.of(List.of())));
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
