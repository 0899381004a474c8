package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What trades at the moment. Crypto always does. */
enum VenueSession {
    @JsonProperty("regular")
    REGULAR,
    /** Before the opening and after the close: only orders with {@code extended_hours} trade. */
    @JsonProperty("extended")
    EXTENDED,
    @JsonProperty("closed")
    CLOSED;

    /** Whether such an order trades in this session, apart from the auctions around it. */
    boolean trades(VenueOrderTerms terms) {
        if (Asset.require(terms.symbol()).assetClass() == VenueAssetClass.CRYPTO) {
            return true;
        }
        if (terms.timeInForce().auction()) {
            return false;
        }
        return this == REGULAR || (this == EXTENDED && terms.extendedHours());
    }
}
