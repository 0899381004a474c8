package dev.berth.local.ecs;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.javalin.config.RoutesConfig;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;

/** What no ECS has: sets the number of hosts and makes things go wrong, while it runs. */
final class Control {
    private final Hosts hosts;
    private final Ledger ledger;
    private volatile Faults faults = Faults.NONE;
    private volatile Phantoms phantoms = Phantoms.NONE;

    Control(Hosts hosts, Ledger ledger) {
        this.hosts = hosts;
        this.ledger = ledger;
    }

    Faults faults() {
        return faults;
    }

    Phantoms phantoms() {
        return phantoms;
    }

    /** Everything works again. */
    void clearFaults() {
        faults = Faults.NONE;
    }

    void addTo(RoutesConfig routes) {
        routes.get("/_control/health", context -> answer(context, Json.object().put("status", "UP")));
        routes.put("/_control/capacity", this::capacity);
        routes.put("/_control/faults", context -> {
            faults = read(context, Faults.class);
            answer(context, faults);
        });
        routes.put("/_control/phantoms", context -> {
            phantoms = read(context, Phantoms.class);
            answer(context, Json.object().put("count", phantoms.count()));
        });
    }

    private record Capacity(int hosts) {
        private Capacity {
            if (hosts < 0) {
                throw new IllegalArgumentException("hosts must not be negative");
            }
        }
    }

    private void capacity(Context context) {
        hosts.resize(read(context, Capacity.class).hosts(), ledger.live());
        answer(context, new Capacity(hosts.active().size()));
    }

    private static <T> T read(Context context, Class<T> type) {
        try {
            return Json.MAPPER.readValue(context.body(), type);
        } catch (JsonProcessingException e) {
            throw new BadRequestResponse(e.getOriginalMessage());
        }
    }

    private static void answer(Context context, Object body) {
        context.contentType("application/json")
                .result(Json.MAPPER.valueToTree(body).toString());
    }
}
