package dev.berth.api;

/**
 * How many rows a caller may ask for at once.
 *
 * @param largest the page that the server still makes in a moment
 */
public record PageLimit(int largest) {
    /**
     * What was asked for, if there may be so many.
     *
     * @throws Problem.Refusal when not
     */
    public int check(int asked) {
        if (asked < 1 || asked > largest) {
            throw Problem.INVALID_REQUEST.because("limit is between 1 and " + largest + ".");
        }
        return asked;
    }
}
