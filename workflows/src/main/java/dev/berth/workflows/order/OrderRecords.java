package dev.berth.workflows.order;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;

/** The read model's side of an order. */
@ActivityInterface
public interface OrderRecords {
    /**
     * Writes the steps and the state after the last of them, and tells whoever listens. Steps that were written
     * before change nothing; a state older than the stored one is dropped.
     */
    @ActivityMethod(name = "recordOrder")
    void record(List<OrderState> steps);
}
