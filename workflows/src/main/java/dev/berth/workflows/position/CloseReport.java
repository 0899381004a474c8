package dev.berth.workflows.position;

import java.util.List;

/** What became of each position that was to be closed. */
public record CloseReport(List<PositionClose> items) {
    public CloseReport {
        items = List.copyOf(items);
    }
}
