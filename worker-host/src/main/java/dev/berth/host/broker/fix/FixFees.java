package dev.berth.host.broker.fix;

import dev.berth.workflows.SignedDecimal;
import dev.berth.workflows.order.ExecutionFee;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import quickfix.Message;
import quickfix.field.CommCurrency;
import quickfix.field.CommType;
import quickfix.field.Commission;
import quickfix.field.Currency;

/** What the counterparty took for an execution. */
final class FixFees {
    private FixFees() {}

    /** Null without a commission that is an amount of a known currency. */
    static @Nullable ExecutionFee of(Message report) {
        boolean isAmount = FixMessages.has(report, CommType.FIELD, CommType.ABSOLUTE);
        Optional<String> currency =
                report.getOptionalString(CommCurrency.FIELD).or(() -> report.getOptionalString(Currency.FIELD));
        return isAmount && report.isSetField(Commission.FIELD) && currency.isPresent()
                ? new ExecutionFee(new SignedDecimal(FixMessages.decimal(report, Commission.FIELD)), currency.get())
                : null;
    }
}
