package dev.berth.local.venue;

import java.util.Collection;
import java.util.Set;

/** The activity types that Alpaca documents as filters. */
final class ActivityTypes {

    private static final String MISC = "MISC";

    /** Cash, and the aliases {@code TRANS} and {@code MISC}, which no activity has as its type. */
    private static final Set<String> TRANSFERS = Set.of("TRANS", "CSD", "CSW");

    private static final Set<String> DIVIDENDS =
            Set.of("DIV", "DIVCGL", "DIVCGS", "DIVFEE", "DIVFT", "DIVNRA", "DIVROC", "DIVTW", "DIVTXEX", "DIVWH");

    private static final Set<String> OTHERS = Set.of(
            "FILL", MISC, "ACATC", "ACATS", "ALLOC", "CFEE", "CIL", "CSR", "DVF", "ECEXP", "EXTRD", "FEE", "FIMAT",
            "FXCNV", "FXTRD", "INT", "INTNRA", "INTPNL", "INTTW", "INVPNL", "JNL", "JNLC", "JNLS", "MA", "MEM", "NC",
            "OCT", "OPASN", "OPCA", "OPCSH", "OPEXC", "OPEXP", "OPTRD", "OPXRC", "PTC", "PTR", "REORG", "SC", "SPIN",
            "SPLIT", "SUB", "SWP", "TRD", "VOF", "WH");

    private ActivityTypes() {}

    /** @throws VenueRefusal if Alpaca has no such type */
    static String require(String type) {
        if (!TRANSFERS.contains(type) && !DIVIDENDS.contains(type) && !OTHERS.contains(type)) {
            throw VenueRefusal.invalid("invalid activity type: " + type);
        }
        return type;
    }

    /** Whether a filter shows activities of {@code type}; an empty one shows all. */
    static boolean shows(Collection<String> filter, String type) {
        boolean misc = !type.equals("FILL") && !TRANSFERS.contains(type) && !DIVIDENDS.contains(type);
        return filter.isEmpty() || filter.contains(type) || (misc && filter.contains(MISC));
    }
}
