package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The application messages of FIX, on the book of REST. */
class FixOrderTest extends VenueFixture {
    private RawFixClient fix;

    @BeforeEach
    void logOn() throws IOException {
        fix = RawFixClient.logOn(venue, "alice");
    }

    @AfterEach
    void cut() throws IOException {
        fix.close();
    }

    private String idOf(String clientOrderId) throws Exception {
        return client.get("/v2/orders:by_client_order_id?client_order_id=" + clientOrderId)
                .text("id");
    }

    @Test
    void orderIsBookedAndReported() throws Exception {
        fix.order("a", "38=2", "20001=7");

        var accepted = fix.receive();
        assertThat(accepted.outcome()).isEqualTo("00");
        assertThat(accepted.get(11)).isEqualTo("a");
        assertThat(accepted.get(37)).isEqualTo(idOf("a"));
        var trade = fix.receive();
        assertThat(trade.outcome()).isEqualTo("F2");
        assertThat(trade.get(32)).isEqualTo("2");
        assertThat(trade.get(31)).isEqualTo("100.01");
        assertThat(trade.get(14)).isEqualTo("2");
        assertThat(trade.get(6)).isEqualTo("100.01");
        assertThat(trade.get(151)).isEqualTo("0");
        var order = client.book().getFirst();
        assertThat(trade.get(17)).isEqualTo(order.at("/fills/0/execution_id").asText());
        assertThat(order.path("time_in_force").asText()).isEqualTo("day");
        var arrival = client.arrivals().getFirst();
        assertThat(arrival.path("verdict").asText()).isEqualTo("accepted");
        assertThat(arrival.path("account").asText()).isEqualTo("alice");
        assertThat(arrival.path("epoch").asLong()).isEqualTo(7);
    }

    @Test
    void limitOrderTradesInParts() throws Exception {
        fix.order("a", "38=3", "40=2", "44=90", "59=1");
        assertThat(fix.receive().outcome()).isEqualTo("00");

        client.quote("AAPL", "{\"bid\":\"89\",\"ask\":\"90\",\"askSize\":\"1\"}");

        var part = fix.receive();
        assertThat(part.outcome()).isEqualTo("F1");
        assertThat(part.get(151)).isEqualTo("2");
        client.quote("AAPL", "{\"bid\":\"88\",\"ask\":\"89\"}");
        var rest = fix.receive();
        assertThat(rest.outcome()).isEqualTo("F2");
        assertThat(rest.get(14)).isEqualTo("3");
        assertThat(rest.get(6)).isEqualTo("89.333333333");
    }

    @Test
    void refusalSaysWhy() throws Exception {
        fix.order("a");
        fix.receive();
        fix.receive();

        fix.order("a");
        assertRefused("6", "client_order_id must be unique");
        fix.order("b", "55=XYZ");
        assertRefused("1", "asset \"XYZ\" not found");
        fix.order("c", "38=1000000");
        assertRefused("3", "insufficient buying power");
        fix.order("d", "54=5");
        assertRefused("99", "invalid side \"5\"");
        fix.order("e", "40=2");
        assertRefused("99", "limit orders require a limit price");
        assertThat(client.book()).hasSize(1);
        assertThat(client.arrivals()).hasSize(6);
        assertThat(client.arrivals().get(1).path("verdict").asText()).isEqualTo("duplicate");
        fix.order("a", "97=Y");
        assertThat(fix.receive().outcome()).isEqualTo("I2");
    }

    private void assertRefused(String reason, String text) throws IOException {
        var report = fix.receive();
        assertThat(report.outcome()).isEqualTo("88");
        assertThat(report.get(103)).isEqualTo(reason);
        assertThat(report.get(58)).isEqualTo(text);
    }

    @Test
    void orderIsCanceled() throws Exception {
        fix.order("a", "40=2", "44=90");
        fix.receive();

        fix.request("F", "41=a", "11=c1", "38=1");

        var canceled = fix.receive();
        assertThat(canceled.outcome()).isEqualTo("44");
        assertThat(canceled.get(11)).isEqualTo("c1");
        assertThat(canceled.get(41)).isEqualTo("a");
        fix.request("F", "41=a", "11=c2", "38=1");
        assertCancelRejected("1", "0", "4");
        fix.request("F", "41=x", "11=c3", "38=1");
        assertCancelRejected("1", "1", "8");
        fix.request("F", "41=a", "11=a", "38=1");
        assertCancelRejected("1", "6", "4");
    }

    private void assertCancelRejected(String responseTo, String reason, String status) throws IOException {
        var reject = fix.receive();
        assertThat(reject.type()).isEqualTo("9");
        assertThat(reject.get(434)).isEqualTo(responseTo);
        assertThat(reject.get(102)).isEqualTo(reason);
        assertThat(reject.get(39)).isEqualTo(status);
    }

    @Test
    void replacementTakesThePlaceOfOrder() throws Exception {
        fix.order("a", "40=2", "44=90");
        fix.receive();

        fix.request("G", "41=a", "11=b", "38=2", "40=2", "44=91");

        var replaced = fix.receive();
        assertThat(replaced.outcome()).isEqualTo("50");
        assertThat(replaced.get(11)).isEqualTo("b");
        assertThat(replaced.get(41)).isEqualTo("a");
        assertThat(replaced.get(37)).isEqualTo(idOf("b"));
        assertThat(replaced.get(44)).isEqualTo("91");
        assertThat(client.arrivals()).hasSize(2);
        fix.request("G", "41=a", "11=c", "38=2", "40=2", "44=92");
        assertCancelRejected("2", "0", "5");
        fix.request("G", "41=x", "11=c", "38=2", "40=2", "44=92");
        assertCancelRejected("2", "1", "8");
        fix.request("G", "41=b", "11=a", "38=2", "40=2", "44=92");
        assertCancelRejected("2", "6", "0");
        fix.request("G", "41=b", "11=c", "38=2", "40=1");
        assertCancelRejected("2", "99", "0");
    }

    @Test
    void statusIsThatOfTheBook() throws Exception {
        client.submit("a", "qty", "2");
        assertThat(fix.receive().outcome() + fix.receive().outcome()).isEqualTo("00F2");

        fix.send("H", "11=a", "790=s1", "55=AAPL", "54=1");
        var byClientId = fix.receive();
        assertThat(byClientId.outcome()).isEqualTo("I2");
        assertThat(byClientId.get(14)).isEqualTo("2");
        assertThat(byClientId.get(790)).isEqualTo("s1");
        fix.send("H", "11=any", "37=" + idOf("a"), "55=AAPL", "54=1");
        assertThat(fix.receive().get(11)).isEqualTo("a");
        fix.send("H", "11=x", "55=AAPL", "54=1");
        var unknown = fix.receive();
        assertThat(unknown.outcome()).isEqualTo("88");
        assertThat(unknown.get(103)).isEqualTo("5");
    }

    @Test
    void massStatusReportsOpenOrders() throws Exception {
        fix.send("AF", "584=m1", "585=7");
        var none = fix.receive();
        assertThat(none.outcome()).isEqualTo("I8");
        assertThat(none.get(911) + none.get(103) + none.get(912)).isEqualTo("05Y");
        fix.order("a", "40=2", "44=90");
        fix.order("b", "40=2", "44=90");
        fix.receive();
        fix.receive();

        fix.send("AF", "584=m2", "585=7");

        var first = fix.receive();
        var last = fix.receive();
        assertThat(first.get(11) + first.get(584) + first.get(911) + first.get(912))
                .isEqualTo("am22N");
        assertThat(last.get(11) + last.outcome() + last.get(912)).isEqualTo("bI0Y");
        fix.send("AF", "584=m3", "585=1");
        assertThat(fix.receive().type()).isEqualTo("3");
    }

    @Test
    void massCancelEndsOpenOrders() throws Exception {
        fix.order("a", "40=2", "44=90");
        fix.order("b", "40=2", "44=90", "55=MSFT");
        fix.receive();
        fix.receive();

        fix.send("q", "11=q1", "530=1", "55=AAPL", "60=" + RawFixClient.now());

        assertThat(fix.receive().outcome()).isEqualTo("44");
        var one = fix.receive();
        assertThat(one.type() + one.get(531) + one.get(533)).isEqualTo("r11");
        fix.send("q", "11=q2", "530=7", "60=" + RawFixClient.now());
        assertThat(fix.receive().get(11)).isEqualTo("b");
        var all = fix.receive();
        assertThat(all.type() + all.get(531) + all.get(533)).isEqualTo("r71");
        fix.send("q", "11=q3", "530=3", "60=" + RawFixClient.now());
        var refused = fix.receive();
        assertThat(refused.type() + refused.get(531) + refused.get(532)).isEqualTo("r00");
    }

    @Test
    void laterChangesAreReported() throws Exception {
        fix.order("a", "40=2", "44=90");
        fix.order("b", "40=2", "44=90");
        fix.receive();
        fix.receive();

        client.delete("/v2/orders/" + idOf("a"));
        var canceled = fix.receive();
        assertThat(canceled.outcome() + canceled.get(11)).isEqualTo("44a");
        client.put("/_control/orders/" + idOf("b"), "{\"status\":\"expired\"}");
        assertThat(fix.receive().outcome()).isEqualTo("CC");
        var late = client.post("/_control/orders/" + idOf("a") + "/executions", "{\"qty\":\"1\",\"price\":\"90\"}");
        var trade = fix.receive();
        assertThat(trade.outcome() + trade.get(14) + trade.get(151)).isEqualTo("F410");
        var execution = late.text("execution_id");
        assertThat(trade.get(17)).isEqualTo(execution);
        var path = "/_control/orders/" + idOf("a");
        var corrected =
                client.post(path + "/corrections", "{\"executionId\":\"%s\",\"price\":\"91\"}".formatted(execution));
        var correction = fix.receive();
        assertThat(correction.outcome() + correction.get(31)).isEqualTo("G491");
        assertThat(correction.get(19)).isEqualTo(execution);
        client.post(path + "/busts", "{\"executionId\":\"%s\"}".formatted(corrected.text("execution_id")));
        var bust = fix.receive();
        assertThat(bust.outcome() + bust.get(14)).isEqualTo("H40");
        assertThat(bust.get(19)).isEqualTo(corrected.text("execution_id"));
    }

    @Test
    void waitingOrderIsPending() throws Exception {
        fix.order("a", "40=2", "44=90", "59=2");

        assertThat(fix.receive().outcome()).isEqualTo("AA");
    }

    @Test
    void unreadableMessagesAreRejected() throws Exception {
        fix.send("D", "11=a", "55=AAPL", "54=1", "38=1", "60=" + RawFixClient.now());
        var missing = fix.receive();
        assertThat(missing.type() + missing.get(371) + missing.get(373)).isEqualTo("3401");
        fix.order("a", "38=many");
        var invalid = fix.receive();
        assertThat(invalid.type() + invalid.get(371) + invalid.get(373)).isEqualTo("3386");
        fix.send("V", "262=1", "263=0", "264=0", "267=1", "269=0", "146=1", "55=AAPL");
        var unserved = fix.receive();
        assertThat(unserved.type() + unserved.get(380) + unserved.get(372)).isEqualTo("j3V");
        assertThat(client.arrivals()).isEmpty();
    }
}
