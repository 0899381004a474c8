package dev.berth.host.broker.fix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.OrderStatus;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import quickfix.Message;
import quickfix.field.MsgType;

/** FIX's reports in Berth's words. */
@Tag("X17")
class FixReportsTest {
    private static final long EPOCH = 7;

    /** Fields as {@code tag=value}, separated by bars. */
    private static Message message(String fields) {
        Message message = new Message();
        for (String field : fields.split("\\|", -1)) {
            String[] parts = field.split("=", 2);
            int tag = Integer.parseInt(parts[0]);
            if (tag == MsgType.FIELD) {
                message.getHeader().setString(tag, parts[1]);
            } else {
                message.setString(tag, parts[1]);
            }
        }
        return message;
    }

    private static FixOrderReport read(String fields) {
        return FixReports.read(message("35=8|38=10|55=AAPL|54=1|37=v-1|" + fields), EPOCH)
                .orElseThrow();
    }

    @ParameterizedTest
    @DisplayName("Each OrdStatus has its place, and its word")
    @CsvSource({
        "0, 0, NEW, new",
        "A, 0, NEW, pending_new",
        "1, 4, PARTIALLY_FILLED, partially_filled",
        "2, 10, FILLED, filled",
        "3, 0, NEW, done_for_day",
        "3, 4, PARTIALLY_FILLED, done_for_day",
        "4, 4, CANCELED, canceled",
        "5, 0, PENDING_REPLACE, replaced",
        "6, 0, PENDING_CANCEL, pending_cancel",
        "9, 0, NEW, suspended",
        "C, 0, EXPIRED, expired",
        "E, 0, PENDING_REPLACE, pending_replace",
    })
    void statusHasItsPlace(String code, String filled, OrderStatus status, String word) {
        FixOrderReport report = read("11=o-1|150=I|39=" + code + "|6=0.98|14=" + filled);
        assertThat(report.report().status()).isEqualTo(status);
        assertThat(report.report().venueStatus()).isEqualTo(word);
        assertThat(report.report().venueOrderId()).isEqualTo("v-1");
    }

    @Test
    @DisplayName("A report is about the order, under whichever id the request had")
    void reportIsAboutTheOrder() {
        assertThat(read("11=cancel:7:1|41=o-1|150=4|39=4|14=0").id()).hasToString("o-1");
        assertThat(read("11=o-1.r1|41=o-1|150=E|39=E|14=0").id()).hasToString("o-1");
        FixOrderReport replaced = read("11=o-1.r1|41=o-1|150=5|39=5|14=0");
        assertThat(replaced.id()).hasToString("o-1.r1");
        assertThat(replaced.report().status()).isEqualTo(OrderStatus.NEW);
        assertThat(Objects.requireNonNull(replaced.replaced())).hasToString("o-1");
        assertThat(replaced.changes())
                .extracting(change -> change.clientOrderId() + " " + change.working())
                .containsExactly("o-1 false", "o-1.r1 true");
    }

    @Test
    @DisplayName("Trades, corrections and busts name their executions, with the commission")
    void executionsAreNamed() {
        String trade = "11=o-1|39=1|14=4|6=0.98|32=4|31=0.98|60=20260102-03:04:05.678|";
        Execution execution = read(trade + "150=F|17=e-1|12=0.10|13=3|479=USD")
                .report()
                .executions()
                .getFirst();
        assertThat(execution.executionId()).isEqualTo("e-1");
        assertThat(execution.at()).hasToString("2026-01-02T03:04:05.678Z");
        assertThat(Objects.requireNonNull(execution.fee()).currency()).isEqualTo("USD");
        assertThat(read(trade + "150=G|17=e-2|19=e-1").report().executions())
                .extracting(one -> one.executionId() + " " + one.busted())
                .containsExactly("e-1 true", "e-2 false");
        assertThat(read("11=o-1|39=0|14=0|150=H|17=e-3|19=e-2").report().executions())
                .extracting(one -> one.executionId() + " " + one.busted())
                .containsExactly("e-2 true");
    }

    @ParameterizedTest
    @DisplayName("Only what says that there is no such order proves its absence")
    @CsvSource({
        "150=8|39=8|103=5, true",
        "150=8|39=8|103=99, true",
        "150=I|39=8|103=5, true",
        "150=I|39=8, true",
        "150=8|39=8|103=3, false",
        "150=8|39=8, false",
        "150=I|39=0, false",
    })
    void onlyThatProvesAbsence(String fields, boolean absent) {
        assertThat(FixReports.isAbsent(message("35=8|11=o-1|" + fields))).isEqualTo(absent);
    }

    @ParameterizedTest
    @DisplayName("What cannot be read, is refused, or is about another order is no answer about this one")
    @CsvSource({
        "35=8|11=o-1|150=I",
        "35=8|11=o-1|150=I|39=0",
        "35=8|11=o-1|150=I|39=0|14=many",
        "35=8|11=o-1|150=I|39=0|14=1e9",
        "35=8|11=o-1|150=I|39=0|14=0|60=yesterday",
        "35=8|11=o-1|150=8|39=8|103=3",
        "35=8|11=o-2|150=I|39=0|14=0",
        "35=8|11=by hand / 1|150=I|39=0|14=0",
        "35=B|11=o-1|150=I|39=0|14=0",
    })
    void otherMessagesSayNothing(String fields) {
        assertThatThrownBy(() -> FixReports.require(message(fields), VenueClientOrderId.parse("o-1"), EPOCH))
                .isInstanceOf(IOException.class);
    }
}
