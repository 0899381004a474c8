package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Faults on demand, over FIX. */
class FixFaultTest extends VenueFixture {
    private RawFixClient fix;

    @BeforeEach
    void logOn() throws IOException {
        fix = RawFixClient.logOn(venue, "alice");
    }

    @AfterEach
    void cut() throws IOException {
        fix.close();
    }

    private void faults(String json) throws Exception {
        assertThat(client.put("/_control/faults", json).status()).isEqualTo(200);
    }

    private String verdict() throws Exception {
        return client.arrivals().getLast().path("verdict").asText();
    }

    private void logOnAgain() throws IOException {
        fix = new RawFixClient(venue.fixPort(), "alice", fix.nextNumber());
        assertThat(fix.logOn().type()).isEqualTo("A");
    }

    @Test
    void refusalAndServerErrorBookNothing() throws Exception {
        faults("{\"refuse\":1.0}");
        fix.order("a");
        var busy = fix.receive();
        assertThat(busy.outcome() + busy.get(103) + busy.get(58)).isEqualTo("8899busy");
        assertThat(verdict()).isEqualTo("refused");
        faults("{\"serverError\":1.0}");
        fix.order("a");
        var unavailable = fix.receive();
        assertThat(unavailable.type() + unavailable.get(380) + unavailable.get(379))
                .isEqualTo("j4a");
        assertThat(unavailable.get(45)).isEqualTo("3");
        assertThat(verdict()).isEqualTo("serverError");
        assertThat(client.book()).isEmpty();
    }

    @Test
    void droppedAnswerArrivesAfterLogon() throws Exception {
        faults("{\"dropAnswer\":1.0}");
        fix.order("a");
        assertThat(fix.read()).isNull();
        await().until(() -> client.book().size() == 1);
        assertThat(verdict()).isEqualTo("answerDropped");
        faults("{}");

        logOnAgain();

        fix.send("2", "7=2", "16=0");
        assertThat(fix.receive().outcome()).isEqualTo("00");
        assertThat(fix.receive().outcome()).isEqualTo("F2");
    }

    @Test
    void hungAndHeldOrdersLetTheSessionLive() throws Exception {
        faults("{\"hang\":1.0}");
        fix.order("a");
        fix.send("1", "112=ping");
        assertThat(fix.receive().get(112)).isEqualTo("ping");
        assertThat(verdict()).isEqualTo("hung");
        faults("{\"hold\":true}");
        fix.order("b");
        fix.send("1", "112=ping");
        assertThat(fix.receive().get(112)).isEqualTo("ping");
        assertThat(client.book()).isEmpty();
        faults("{}");
        assertThat(fix.receive().outcome()).isEqualTo("00");
    }

    @Test
    void reportsAreSentTwice() throws Exception {
        faults("{\"fixDuplicateReports\":1.0}");
        fix.order("a", "40=2", "44=90");

        var first = fix.receive();
        var second = fix.receive();

        assertThat(first.get(97)).isEmpty();
        assertThat(second.get(97) + second.get(43)).isEqualTo("Y");
        assertThat(second.get(17)).isEqualTo(first.get(17));
        assertThat(second.number()).isEqualTo(first.number() + 1);
    }

    @Test
    void skippedNumberIsFilledOnRequest() throws Exception {
        faults("{\"fixSequenceGap\":1.0}");
        fix.order("a", "40=2", "44=90");

        assertThat(fix.receive().number()).isEqualTo(3);

        fix.send("2", "7=2", "16=0");
        var filled = fix.receive();
        assertThat(filled.type() + filled.get(34) + filled.get(36)).isEqualTo("423");
        var again = fix.receive();
        assertThat(again.outcome() + again.get(34)).isEqualTo("003");
    }

    @Test
    void connectionIsCutBeforeOrAfterTheOrder() throws Exception {
        faults("{\"fixDisconnect\":1.0,\"seed\":1}");
        int before = 0;
        int after = 0;
        for (int i = 0; before == 0 || after == 0; i++) {
            var id = "a" + i;
            fix.order(id);
            fix.awaitEnd();
            if (client.arrivals().stream()
                    .anyMatch(a -> a.path("client_order_id").asText().equals(id))) {
                after++;
            } else {
                before++;
            }
            logOnAgain();
        }
        faults("{}");
        assertThat(client.book()).hasSize(after);
    }

    @Test
    void venueAsksForEverythingAgain() throws Exception {
        faults("{\"fixResendRequest\":1.0}");
        fix.order("a", "40=2", "44=90");
        assertThat(fix.receive().outcome()).isEqualTo("00");

        var request = fix.receive();

        assertThat(request.type() + request.get(7) + request.get(16)).isEqualTo("210");
        faults("{}");
        fix.sendAs(1, "4", "43=Y", "122=" + RawFixClient.now(), "123=Y", "36=3");
        fix.order("b", "40=2", "44=90");
        assertThat(fix.receive().outcome()).isEqualTo("00");
    }
}
