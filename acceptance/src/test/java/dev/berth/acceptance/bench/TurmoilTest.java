package dev.berth.acceptance.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.OnTheStack;
import dev.berth.acceptance.Stack;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A short one; the long one is {@code ./berth bench --full turmoil}. The same again: {@code -Dberth.seed=…}; longer:
 * {@code -Dberth.turmoil-orders=1000}.
 */
@ExtendWith(OnTheStack.class)
class TurmoilTest {
    private static final int ORDERS = Integer.getInteger("berth.turmoil-orders", 100);

    @Test
    @DisplayName(
            "X1 while workers and the API are killed and answers are dropped, every accepted order ends as the venue's"
                    + " book says, and as Temporal says, and the venue has none twice")
    void turmoil(Stack stack) throws Exception {
        Turmoil turmoil = new Turmoil(stack, Long.getLong("berth.seed", System.nanoTime()));
        turmoil.measure(ORDERS);
        turmoil.print();
        assertThat(turmoil.wrong()).isEmpty();
    }
}
