package dev.berth.acceptance.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * What became of one promise.
 *
 * @param promise its name, which stays
 * @param says the same in words
 * @param looked how many it was looked for at
 * @param broken the evidence of each breach, a line each
 * @param notes what is no breach, and worth knowing
 */
public record Finding(String promise, String says, int looked, List<String> broken, List<String> notes) {
    public Finding {
        broken = List.copyOf(broken);
        notes = List.copyOf(notes);
    }

    boolean isKept() {
        return broken.isEmpty();
    }

    /** A finding that is being made. */
    static final class Draft {
        private final List<String> broken = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        private int looked;

        void look() {
            looked++;
        }

        void look(int more) {
            looked += more;
        }

        void broken(String evidence) {
            broken.add(evidence);
        }

        void note(String note) {
            notes.add(note);
        }

        /** A breach, unless it lies in a freeze. */
        void broken(String evidence, boolean tolerated) {
            if (tolerated) {
                note(evidence + " (tolerated: in a freeze)");
            } else {
                broken(evidence);
            }
        }

        Finding as(String promise, String says) {
            return new Finding(promise, says, looked, broken, notes);
        }
    }
}
