package dev.berth.local.venue;

import java.util.LinkedHashMap;
import java.util.Map;

/** The fields of a FIX message by tag, in their order; of a repeated tag the first. */
record FixFields(Map<Integer, String> fields) {

    /** From {@code TAG=VALUE} and SOH, again and again; ignores what is no field. */
    static FixFields parse(String message) {
        var fields = new LinkedHashMap<Integer, String>();
        for (String field : message.split("\u0001", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0 && field.substring(0, equals).matches("-?\\d+")) {
                fields.putIfAbsent(Integer.valueOf(field.substring(0, equals)), field.substring(equals + 1));
            }
        }
        return new FixFields(fields);
    }

    /** Empty if absent. */
    String get(int tag) {
        return fields.getOrDefault(tag, "");
    }

    String type() {
        return get(35);
    }

    int number() {
        return Integer.parseInt(get(34));
    }

    /** ExecType and OrdStatus of a report, else the message's type. */
    String outcome() {
        return type().equals("8") ? get(150) + get(39) : type();
    }
}
