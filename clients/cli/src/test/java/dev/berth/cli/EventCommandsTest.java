package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.FakeApi.Result;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EventCommandsTest {
    private final FakeApi api;

    EventCommandsTest() throws IOException {
        api = new FakeApi();
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    @Tag("D11")
    @DisplayName("Events are one line each, with what is known of them, and every filter reaches the API")
    void showsEvents() {
        api.answers(200, """
                {"items":[{"at":"T2","userId":"ann","kind":"worker","state":"ACTIVE","workerEpoch":2},
                {"at":"T1","userId":"ann","kind":"declined","clientOrderId":"o-1","symbol":"AAPL","state":"PENDING",
                "reason":"capacity: declined: no lease","attempts":1}],"nextCursor":"c1"}""");
        Result shown =
                api.run(("events --user ann --order o-1 --symbol BTC/USD --kind declined --text 50% --from F --to T"
                                + " --limit 2 --cursor c0")
                        .split(" "));
        assertThat(shown.exitCode()).isZero();
        assertThat(shown.out()).isEqualTo("""
                T2  worker      ann  ACTIVE; worker epoch 2
                T1  declined    ann:o-1  PENDING; AAPL; attempt 1; capacity: declined: no lease
                There are more; the next page begins at c1
                """);
        assertThat(api.calls())
                .containsExactly("GET /v1/fleet/events?&user=ann&order=o-1&symbol=BTC%2FUSD&kind=declined&text=50%25"
                        + "&from=F&to=T&limit=2&cursor=c0");
    }
}
