package dev.berth.rest;

/**
 * The limit on the rows of a page.
 *
 * @param max rows that the server can read quickly
 */
public record PageLimit(int max) {
    /**
     * Returns the requested limit.
     *
     * @throws Problem.Refusal when it is out of range
     */
    public int check(int limit) {
        if (limit < 1 || limit > max) {
            throw Problem.INVALID_REQUEST.because("limit is between 1 and " + max + ".");
        }
        return limit;
    }
}
