package dev.berth.acceptance.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * The result for one promise.
 *
 * @param promise the stable name
 * @param says the promise as a sentence
 * @param checked the number of checked objects
 * @param broken one line of evidence per breach
 * @param notes observations that are no breach
 */
public record Finding(String promise, String says, int checked, List<String> broken, List<String> notes) {
    public Finding {
        broken = List.copyOf(broken);
        notes = List.copyOf(notes);
    }

    boolean isKept() {
        return broken.isEmpty();
    }

    static final class Draft {
        private final List<String> broken = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        private int checked;

        void countChecked() {
            checked++;
        }

        void countChecked(int more) {
            checked += more;
        }

        void broken(String evidence) {
            broken.add(evidence);
        }

        void note(String note) {
            notes.add(note);
        }

        /** Adds a breach, or a note when it is tolerated. */
        void broken(String evidence, boolean tolerated) {
            if (tolerated) {
                note(evidence + " (tolerated: in a freeze)");
            } else {
                broken(evidence);
            }
        }

        Finding as(String promise, String says) {
            return new Finding(promise, says, checked, broken, notes);
        }
    }
}
