package dev.berth.acceptance.bench;

/** What a figure counts. */
enum Unit {
    MILLISECONDS("ms"),
    MEBIBYTES("MiB"),
    KILOBYTES("kB"),
    BYTES("bytes"),
    PERCENT_OF_A_CORE("% of a core"),
    PER_SECOND("1/s"),
    COUNT("1"),
    /** To the baseline of the same run. */
    RATIO("ratio");

    private final String symbol;

    Unit(String symbol) {
        this.symbol = symbol;
    }

    String symbol() {
        return symbol;
    }
}
