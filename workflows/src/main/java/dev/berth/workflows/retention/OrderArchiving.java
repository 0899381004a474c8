package dev.berth.workflows.retention;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import org.jspecify.annotations.Nullable;

/**
 * Moves closed orders to numbered files. Every step may be repeated, and may run twice at once: a
 * file is written once, and only what stands in it is deleted.
 */
@ActivityInterface
public interface OrderArchiving {
    /**
     * Writes the next file, whole and on disk, or finds it written by an attempt that was lost.
     *
     * @return its number; null when no order is due, or the archive is off
     */
    @ActivityMethod(name = "writeArchiveFile")
    @Nullable
    Long write();

    /**
     * Deletes from PostgreSQL what the file holds, except orders that changed since.
     *
     * @return how many orders were deleted, in this attempt or in an earlier one
     */
    @ActivityMethod(name = "deleteArchivedOrders")
    int delete(long number);

    /** Forgets client order ids whose time is over. */
    @ActivityMethod(name = "forgetOrderIds")
    void forgetOrderIds();
}
