package dev.berth.api.fleet;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What waits for a person: workers before orders, which they may be the cause of; of each the
 * newest first.
 *
 * @param nextCursor gives the next page; absent on the last one
 */
record AttentionPage(List<Attention> items, @Nullable String nextCursor) {}
