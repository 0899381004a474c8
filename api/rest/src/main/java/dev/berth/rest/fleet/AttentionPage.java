package dev.berth.rest.fleet;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What waits for a person: workers before orders, which they may be the cause of; of each the
 * newest first.
 *
 * @param nextCursor gives the next page; null on the last one
 * @param missing the servers that did not answer: {@code postgresql}, which has the orders
 */
record AttentionPage(List<Attention> items, @Nullable String nextCursor, Set<String> missing) {}
