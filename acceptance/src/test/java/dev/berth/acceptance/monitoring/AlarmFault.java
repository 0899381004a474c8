package dev.berth.acceptance.monitoring;

import java.util.List;

/**
 * A fault, and the alarms that it must raise.
 *
 * @param end ends the fault; its alarms clear some time later
 */
record AlarmFault(String what, List<String> alarms, Step begin, Step end) {
    interface Step {
        void run() throws Exception;
    }

    private static final Step NOTHING = () -> {};

    /** A fault that is over as soon as it is made. */
    static AlarmFault brief(String what, List<String> alarms, Step begin) {
        return new AlarmFault(what, alarms, begin, NOTHING);
    }

    boolean isBrief() {
        return end == NOTHING;
    }
}
