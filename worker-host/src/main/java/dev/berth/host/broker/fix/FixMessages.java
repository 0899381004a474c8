package dev.berth.host.broker.fix;

import dev.berth.workflows.VenueClientOrderId;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;
import quickfix.Message;
import quickfix.field.ClOrdID;
import quickfix.field.MsgType;
import quickfix.field.OrigClOrdID;
import quickfix.field.PossDupFlag;
import quickfix.field.Text;

/** Reads fields that may be missing. */
final class FixMessages {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{0,30})?");

    private FixMessages() {}

    static Message of(String type) {
        Message message = new Message();
        message.getHeader().setString(MsgType.FIELD, type);
        return message;
    }

    static boolean is(Message message, String type) {
        return message.getHeader()
                .getOptionalString(MsgType.FIELD)
                .filter(type::equals)
                .isPresent();
    }

    /** Whether the counterparty refused a message as such. */
    static boolean isReject(Message message) {
        return is(message, MsgType.REJECT) || is(message, MsgType.BUSINESS_MESSAGE_REJECT);
    }

    /** Whether it was sent before, perhaps to another process. */
    static boolean isRepeated(Message message) {
        return message.getHeader()
                .getOptionalString(PossDupFlag.FIELD)
                .filter("Y"::equals)
                .isPresent();
    }

    static boolean has(Message message, int tag, String value) {
        return message.getOptionalString(tag).filter(value::equals).isPresent();
    }

    static boolean has(Message message, int tag, char value) {
        return has(message, tag, String.valueOf(value));
    }

    static boolean has(Message message, int tag, int value) {
        return has(message, tag, String.valueOf(value));
    }

    /** @throws IllegalArgumentException when it is missing */
    static String text(Message message, int tag) {
        return message.getOptionalString(tag)
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> new IllegalArgumentException("tag " + tag + " is missing"));
    }

    /** @throws IllegalArgumentException when it is missing or no number */
    static BigDecimal decimal(Message message, int tag) {
        return message.getOptionalString(tag)
                .filter(text -> NUMBER.matcher(text).matches())
                .map(BigDecimal::new)
                .orElseThrow(() -> new IllegalArgumentException("tag " + tag + " is missing or no number"));
    }

    /** The counterparty's words. */
    static String words(Message message) {
        return message.getOptionalString(Text.FIELD).orElse("");
    }

    /** Empty for an id of another form than those of Berth. */
    static Optional<VenueClientOrderId> id(Message message, int tag) {
        try {
            return message.getOptionalString(tag).map(VenueClientOrderId::parse);
        } catch (IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }

    /** The version of an order that a message is about: a cancel's own id has another form. */
    static Optional<VenueClientOrderId> id(Message message) {
        return id(message, ClOrdID.FIELD).or(() -> id(message, OrigClOrdID.FIELD));
    }
}
