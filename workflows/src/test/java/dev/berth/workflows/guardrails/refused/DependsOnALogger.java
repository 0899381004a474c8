package dev.berth.workflows.guardrails.refused;

import org.slf4j.Logger;

/** Reaches for something beside the JDK, Temporal, Jackson and JSpecify. */
public final class DependsOnALogger {
    public void say(Logger log) {
        log.info("hello");
    }
}
