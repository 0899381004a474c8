package dev.berth.rest.fleet;

import dev.berth.activities.group.UserGroups;
import dev.berth.activities.launch.LaunchTargets;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.OrdersInAttention;
import dev.berth.activities.risk.SuspensionStore;
import dev.berth.activities.risk.SuspensionStore.Suspension;
import dev.berth.activities.worker.PostgresFleetSwitches;
import dev.berth.activities.worker.PostgresFleetSwitches.SwitchChange;
import dev.berth.rest.PageLimit;
import dev.berth.rest.Problem;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.rest.worker.WorkerView;
import dev.berth.rest.worker.WorkerViews;
import dev.berth.routing.ReplicaRegistry;
import dev.berth.routing.heartbeat.WorkerHeartbeat;
import dev.berth.temporal.client.LifecycleIndex;
import dev.berth.temporal.client.LifecycleIndex.WorkerRow;
import dev.berth.temporal.client.OrderIndex;
import dev.berth.temporal.client.Page;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.pool.PoolNames;
import dev.berth.workflows.worker.WorkerPhase;
import io.lettuce.core.api.StatefulRedisConnection;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Reads the fleet. Every call needs the scope {@code fleet}. */
@RestController
@RequestMapping("/v1/fleet")
@Tag(name = "fleet")
class FleetController {
    private static final PageLimit LIMIT = new PageLimit(1000);
    private static final int MAX_EXPLAINED_ORDERS = 20;

    private final LifecycleIndex lifecycles;
    private final OrderIndex orders;
    private final OrderReadModel readModel;
    private final WorkerViews views;
    private final PostgresFleetSwitches switches;
    private final OrdersInAttention attention;
    private final StatefulRedisConnection<String, String> redis;
    private final ReplicaRegistry replicas;
    private final LaunchTargets kinds;
    private final UserGroups groups;
    private final SuspensionStore suspensions;
    private final RequestAudit audit;

    FleetController(
            LifecycleIndex lifecycles,
            OrderIndex orders,
            OrderReadModel readModel,
            WorkerViews views,
            PostgresFleetSwitches switches,
            OrdersInAttention attention,
            StatefulRedisConnection<String, String> redis,
            ReplicaRegistry replicas,
            LaunchTargets kinds,
            UserGroups groups,
            SuspensionStore suspensions,
            RequestAudit audit) {
        this.lifecycles = lifecycles;
        this.orders = orders;
        this.readModel = readModel;
        this.views = views;
        this.switches = switches;
        this.attention = attention;
        this.redis = redis;
        this.replicas = replicas;
        this.kinds = kinds;
        this.groups = groups;
        this.suspensions = suspensions;
        this.audit = audit;
    }

    @GetMapping
    @Operation(
            summary = "The fleet in numbers",
            description = "While PostgreSQL or Redis does not answer, missing names it and what it knows is absent.")
    FleetView fleet() {
        PartialAnswer answer = new PartialAnswer();
        Optional<SwitchChange> lastSwitch = answer.read(PartialAnswer.POSTGRESQL, switches::last);
        return new FleetView(
                answer.missing(),
                lastSwitch == null
                        ? null
                        : lastSwitch.map(last -> last.now().suspended()).orElse(false),
                lastSwitch == null ? null : lastSwitch.orElse(null),
                lifecycles.countByPhase(),
                lifecycles.countCrashLooping(),
                answer.read(PartialAnswer.POSTGRESQL, attention::count),
                orders.countOpen(),
                answer.read(PartialAnswer.REDIS, this::countIdle),
                answer.read(PartialAnswer.REDIS, replicas::all));
    }

    /** The number of idle pool workers of all groups. */
    private long countIdle() {
        return kinds.all().stream()
                .mapToLong(kind -> redis.sync().zcard(PoolNames.idle(kind.group())))
                .sum();
    }

    @GetMapping("/workers")
    @Operation(
            summary = "Users who have or had a worker",
            description =
                    "From Temporal visibility, which is slightly late, with what each live worker tells of itself;"
                            + " details of one worker are at /v1/fleet/workers/{userId}. limit is 1 to 1000.")
    Page<FleetWorker> workers(
            @RequestParam @Nullable WorkerPhase state,
            @RequestParam(defaultValue = "100") @Schema(minimum = "1", maximum = "1000") int limit,
            @RequestParam @Nullable String cursor) {
        if (state == WorkerPhase.PROCESSING || state == WorkerPhase.POOL_IDLE) {
            throw Problem.INVALID_REQUEST.because(
                    "The list cannot be filtered by " + state + ". Use ACTIVE, or read one user's worker.");
        }
        Page<WorkerRow> page = lifecycles.workers(state, LIMIT.check(limit), cursor);
        Map<UserId, WorkerHeartbeat> heartbeats =
                views.heartbeats(page.map(WorkerRow::userId).items());
        return page.map(worker -> FleetWorker.of(worker, heartbeats.get(worker.userId())));
    }

    @GetMapping("/workers/{userId}")
    @Operation(summary = "One user's worker", description = "As its user sees it. State TERMINATED without a worker.")
    WorkerView worker(@AuthenticationPrincipal Jwt operator, @PathVariable String userId) {
        UserId user = new UserId(userId);
        audit.read(operator, AuditAction.READ_WORKER, user, "");
        return views.of(user);
    }

    @GetMapping("/explain/{userId}")
    @Operation(
            summary = "Explain the state of a user's worker",
            description =
                    "State, reason, group, suspensions, heartbeat, orders in flight, last decision, next action and its time. The last"
                            + " order may be of an earlier worker of this user. While PostgreSQL does not answer, missing"
                            + " names it, and what it knows is absent. A read that cannot be recorded in the audit shows"
                            + " no order, session or reason.")
    Explanation explain(@AuthenticationPrincipal Jwt operator, @PathVariable String userId) {
        UserId user = new UserId(userId);
        if (!audit.recordRead(operator, AuditAction.EXPLAIN_WORKER, user, "")) {
            return Explanation.unrecorded(views.of(user));
        }
        PartialAnswer answer = new PartialAnswer();
        UserGroup group = answer.read(PartialAnswer.POSTGRESQL, () -> groups.of(user));
        List<Suspension> holds = answer.read(PartialAnswer.POSTGRESQL, () -> suspensions.inEffect(user));
        Optional<OrderState> last = answer.read(PartialAnswer.POSTGRESQL, () -> readModel.lastTaken(user));
        return Explanation.of(
                answer.missing(),
                views.of(user),
                group,
                holds == null ? List.of() : holds,
                orders.countOpen(user),
                orders.open(user, MAX_EXPLAINED_ORDERS),
                last == null ? null : last.orElse(null));
    }
}
