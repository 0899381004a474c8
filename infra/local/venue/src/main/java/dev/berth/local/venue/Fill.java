package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

/** One execution: {@code qty} shares at {@code price} US dollars each. */
record Fill(@JsonProperty("execution_id") UUID executionId, BigDecimal qty, BigDecimal price, Instant time) {}
