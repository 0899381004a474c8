package dev.berth.rest.account;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The body of a close of positions.
 *
 * @param symbol of the only position to close; absent: all
 */
record NewClose(@Schema(example = "AAPL") @Nullable String symbol) {}
