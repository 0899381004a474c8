package dev.berth.rest.retention;

import dev.berth.activities.retention.OrderArchive.ArchivedFile;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The archive of closed orders.
 *
 * @param folder null when the archive is off
 * @param orders how long closed orders stay in PostgreSQL
 * @param orderIds how long their ids stay used after that
 * @param due orders that the next run archives, counted up to 1,000
 * @param files the newest 100, newest first
 */
record ArchiveView(@Nullable String folder, Duration orders, Duration orderIds, int due, List<ArchivedFile> files) {}
