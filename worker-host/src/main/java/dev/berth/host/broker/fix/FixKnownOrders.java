package dev.berth.host.broker.fix;

import dev.berth.workflows.BoundedMap;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What this session has heard of orders, before the journal counts it and after. */
final class FixKnownOrders {
    private static final int KEPT = 10_000;

    private final Map<VenueClientOrderId, ExecutionReport> newest = new BoundedMap<>(KEPT);
    private final Map<VenueClientOrderId, FixInstrument> instruments = new BoundedMap<>(KEPT);
    private final Map<VenueClientOrderId, Map<String, Execution>> executions = new BoundedMap<>(KEPT);
    /** Asked about, and not at the counterparty. */
    private final Set<VenueClientOrderId> absent = new LinkedHashSet<>();

    /** Before an order is sent. */
    synchronized void sent(VenueClientOrderId id, FixInstrument instrument) {
        instruments.put(id, instrument);
    }

    /** Whether the report says what no earlier one said. */
    synchronized boolean reported(FixOrderReport said) {
        ExecutionReport report = said.report();
        absent.remove(said.id());
        instruments.put(said.id(), FixInstrument.of(said.message()));
        if (!report.executions().isEmpty()) {
            Map<String, Execution> known = executions.computeIfAbsent(said.id(), _ -> new LinkedHashMap<>());
            // A bust stays one, however often the execution itself is repeated.
            report.executions().forEach(one -> known.merge(one.executionId(), one, FixKnownOrders::standing));
        }
        ExecutionReport before = newest.put(said.id(), report);
        return before == null
                || !report.executions().isEmpty()
                || before.status() != report.status()
                || !before.venueStatus().equals(report.venueStatus())
                || !before.filledQuantity().equals(report.filledQuantity());
    }

    private static Execution standing(Execution one, Execution other) {
        return one.busted() ? one : other;
    }

    synchronized void absent(VenueClientOrderId id) {
        newest.remove(id);
        absent.add(id);
        while (absent.size() > KEPT) {
            absent.remove(absent.iterator().next());
        }
    }

    synchronized FixInstrument instrument(VenueClientOrderId id) {
        return Optional.ofNullable(instruments.get(id)).orElse(FixInstrument.UNKNOWN);
    }

    /** The executions that stand, by the journal and by what it does not count yet. */
    synchronized List<Execution> executions(VenueClientOrderId id, Collection<Execution> counted) {
        Map<String, Execution> all = new LinkedHashMap<>();
        counted.forEach(one -> all.put(one.executionId(), one));
        executions.getOrDefault(id, Map.of()).forEach((name, one) -> all.merge(name, one, FixKnownOrders::standing));
        return all.values().stream().filter(one -> !one.busted()).toList();
    }

    /** The orders that work, by the journal and by what it does not count yet. */
    synchronized Set<VenueClientOrderId> working(Collection<VenueClientOrderId> counted) {
        Set<VenueClientOrderId> working = new LinkedHashSet<>(counted);
        newest.forEach((id, report) -> {
            if (FixOrderReport.isOver(report)) {
                working.remove(id);
            } else {
                working.add(id);
            }
        });
        working.removeAll(absent);
        return working;
    }
}
