package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultTest extends VenueFixture {
    private void faults(String json) throws Exception {
        assertThat(client.put("/_control/faults", json).status()).isEqualTo(200);
    }

    private String verdict(String clientOrderId) throws Exception {
        return client.arrivals().stream()
                .filter(a -> a.path("client_order_id").asText().equals(clientOrderId))
                .findFirst()
                .map(a -> a.path("verdict").asText())
                .orElse("absent");
    }

    @Test
    void hungSubmissionIsRecordedButNotBooked() throws Exception {
        faults("{\"hang\":1.0}");

        var answer = client.submitAsync("a");

        await().until(() -> verdict("a"), "hung"::equals);
        assertThat(answer).isNotDone();
        assertThat(client.book()).isEmpty();
        answer.cancel(true);
    }

    @Test
    void droppedResponseLeavesOrderBooked() throws Exception {
        faults("{\"dropAnswer\":1.0}");

        assertThatThrownBy(() -> client.submit("a")).isInstanceOf(IOException.class);

        assertThat(client.get("/v2/orders:by_client_order_id?client_order_id=a").text("status"))
                .isEqualTo("filled");
        assertThat(verdict("a")).isEqualTo("answerDropped");
    }

    @Test
    void refusalAndServerErrorDoNotUseClientOrderId() throws Exception {
        faults("{\"refuse\":1.0}");
        assertThat(client.submit("a").status()).isEqualTo(403);
        assertThat(verdict("a")).isEqualTo("refused");
        faults("{\"serverError\":1.0}");
        assertThat(client.submit("b").status()).isEqualTo(500);
        assertThat(verdict("b")).isEqualTo("serverError");
        assertThat(client.book()).isEmpty();

        faults("{}");

        assertThat(client.submit("a").status()).isEqualTo(200);
    }

    @Test
    void proxyAnswersForVenueThatBooked() throws Exception {
        faults("""
                {"answers":[{"method":"POST","carriedOut":true,"status":408,"body":"{\\"msg\\":\\"time-out\\"}",
                "headers":{"Retry-After":"0"},"probability":1.0}]}""");

        var answer = client.submit("a");

        assertThat(answer.status()).isEqualTo(408);
        assertThat(answer.text("msg")).isEqualTo("time-out");
        assertThat(client.get("/v2/orders:by_client_order_id?client_order_id=a").text("status"))
                .isEqualTo("filled");
    }

    @Test
    void proxyKeepsRequestFromVenue() throws Exception {
        faults("""
                {"answers":[{"path":"/v2/orders","carriedOut":false,"status":404,"body":"{}","probability":1.0}]}""");

        assertThat(client.submit("a").status()).isEqualTo(404);
        assertThat(client.get("/v2/orders").status()).isEqualTo(404);
        assertThat(client.get("/v2/account").status()).isEqualTo(200);
        assertThat(client.book()).isEmpty();
        assertThat(client.arrivals()).isEmpty();
    }

    @Test
    void proxyCutsVenuesAnswer() throws Exception {
        faults("{\"answers\":[{\"carriedOut\":true,\"cut\":true,\"probability\":1.0}]}");

        assertThatThrownBy(() -> client.submit("a")).isInstanceOf(IOException.class);

        faults("{}");
        assertThat(client.get("/v2/orders:by_client_order_id?client_order_id=a").text("status"))
                .isEqualTo("filled");
    }

    @Test
    void delayedSubmissionIsRecordedOnArrival() throws Exception {
        faults("{\"delayMillis\":500}");
        var before = Instant.now();

        var answer = client.submitAsync("a").join();

        var arrived = Instant.parse(client.arrivals().getFirst().path("time").asText());
        var booked = Instant.parse(answer.text("created_at"));
        assertThat(Duration.between(before, booked)).isGreaterThanOrEqualTo(Duration.ofMillis(500));
        assertThat(Duration.between(arrived, booked)).isGreaterThanOrEqualTo(Duration.ofMillis(450));
    }

    @Test
    void heldSubmissionIsBookedWhenFaultsChange() throws Exception {
        faults("{\"hold\":true}");
        var answer = client.submitAsync("a");
        await().until(() -> client.arrivals().size() == 1);
        assertThat(client.book()).isEmpty();
        assertThat(answer).isNotDone();

        faults("{\"hold\":true}");

        assertThat(answer.join().status()).isEqualTo(200);
        assertThat(client.book()).hasSize(1);
    }

    @Test
    void delaysDoNotAddUp() throws Exception {
        faults("{\"delayMillis\":300}");
        var before = Instant.now();

        IntStream.range(0, 20)
                .mapToObj(i -> client.submitAsync("a" + i))
                .toList()
                .forEach(answer -> assertThat(answer.join().status()).isEqualTo(200));

        assertThat(Duration.between(before, Instant.now())).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void equalSeedsGiveEqualFaults() throws Exception {
        assertThat(statuses("x")).isEqualTo(statuses("y")).contains(200, 403);
    }

    private List<Integer> statuses(String prefix) throws Exception {
        faults("{\"refuse\":0.5,\"seed\":42}");
        var statuses = new ArrayList<Integer>();
        for (int i = 0; i < 20; i++) {
            statuses.add(client.submit(prefix + i).status());
        }
        return statuses;
    }

    @Test
    void arrivalRecordsEpochHeader() throws Exception {
        client.send("POST", "/v2/orders", "{}", EPOCH_HEADER, "7");

        var arrival = client.arrivals().getFirst();
        assertThat(arrival.path("epoch").asLong()).isEqualTo(7);
        assertThat(arrival.path("account").asText()).isEqualTo("alice");
        assertThat(arrival.path("verdict").asText()).isEqualTo("invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"hang\":2}", "{\"hnag\":1}", "{\"delayMillis\":-1}", "[]", "{"})
    void invalidFaultsChangeNothing(String json) throws Exception {
        faults("{\"delayMillis\":1}");

        var answer = client.put("/_control/faults", json);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("message")).isNotBlank();
        assertThat(client.get("/_control/faults").text("delayMillis")).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"bid\":\"9\"}", "{\"bid\":\"9\",\"ask\":\"8\"}", "{\"bid\":\"x\",\"ask\":\"8\"}"})
    void invalidQuotesAreRefused(String json) throws Exception {
        assertThat(client.put("/_control/quotes/AAPL", json).status()).isEqualTo(400);
        assertThat(client.put("/_control/quotes/XYZ", "{\"bid\":\"1\",\"ask\":\"2\"}")
                        .status())
                .isEqualTo(400);
        assertThat(client.get("/_control/quotes")
                        .body()
                        .path("AAPL")
                        .path("bid")
                        .asText())
                .isEqualTo("99.99");
    }
}
