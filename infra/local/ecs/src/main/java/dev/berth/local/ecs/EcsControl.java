package dev.berth.local.ecs;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.javalin.config.RoutesConfig;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import java.time.Duration;

/**
 * Controls that ECS does not have: sets the number of hosts, terminates hosts and injects faults.
 */
final class EcsControl {
    private final String cluster;
    private final Hosts hosts;
    private final TaskLedger ledger;
    private final HostRemoval removal;
    private volatile EcsFaults faults = EcsFaults.NONE;
    private volatile PhantomTasks phantoms;

    EcsControl(String cluster, Hosts hosts, TaskLedger ledger, HostRemoval removal) {
        this.cluster = cluster;
        this.hosts = hosts;
        this.ledger = ledger;
        this.removal = removal;
        this.phantoms = new PhantomTasks(cluster, 0, "");
    }

    EcsFaults faults() {
        return faults;
    }

    PhantomTasks phantoms() {
        return phantoms;
    }

    void clearFaults() {
        faults = EcsFaults.NONE;
    }

    void addTo(RoutesConfig routes) {
        routes.get(
                "/_control/health", context -> answer(context, EcsJson.object().put("status", "UP")));
        routes.put("/_control/capacity", this::capacity);
        routes.put("/_control/termination", this::terminate);
        routes.put("/_control/faults", context -> {
            faults = read(context, EcsFaults.class);
            answer(context, faults);
        });
        routes.put("/_control/phantoms", context -> {
            PhantomTasksRequest fleet = read(context, PhantomTasksRequest.class);
            phantoms = new PhantomTasks(cluster, fleet.count(), fleet.family());
            answer(context, EcsJson.object().put("count", fleet.count()));
        });
    }

    record PhantomTasksRequest(int count, String family) {
        PhantomTasksRequest {
            if (count < 0) {
                throw new IllegalArgumentException("count must not be negative");
            }
        }
    }

    private record HostCount(int hosts) {
        private HostCount {
            if (hosts < 0) {
                throw new IllegalArgumentException("hosts must not be negative");
            }
        }
    }

    private void capacity(Context context) {
        hosts.resize(read(context, HostCount.class).hosts(), ledger.live());
        answer(context, new HostCount(hosts.active().size()));
    }

    /**
     * Terminates the EC2 instance of a host.
     *
     * @param containerInstance its ARN or id
     * @param noticedAfterMillis delay until ECS reports its tasks as stopped, 0 or more
     */
    record Termination(String containerInstance, long noticedAfterMillis) {
        Termination {
            if (containerInstance == null || noticedAfterMillis < 0) {
                throw new IllegalArgumentException("containerInstance is missing, or noticedAfterMillis is negative");
            }
        }
    }

    private void terminate(Context context) {
        Termination termination = read(context, Termination.class);
        LocalHost host = hosts.find(termination.containerInstance())
                .orElseThrow(() -> new NotFoundResponse("no such container instance"));
        removal.terminate(host, Duration.ofMillis(termination.noticedAfterMillis()));
        answer(context, termination);
    }

    private static <T> T read(Context context, Class<T> type) {
        try {
            return EcsJson.MAPPER.readValue(context.body(), type);
        } catch (JsonProcessingException e) {
            throw new BadRequestResponse(e.getOriginalMessage());
        }
    }

    private static void answer(Context context, Object body) {
        context.contentType("application/json")
                .result(EcsJson.MAPPER.valueToTree(body).toString());
    }
}
