package dev.berth.workflows.masscancel;

import dev.berth.workflows.UserId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How far a request is with the orders of all users.
 *
 * @param complete whether nothing more is tried
 * @param after the last user whose orders it began to cancel; null before the first
 * @param users how many are done
 * @param canceled how many orders
 * @param remaining those that are not canceled, at most {@link #MOST}
 * @param unlisted how many more are not canceled
 * @param ended users whose part was ended by hand
 */
public record FleetMassCancelReport(
        MassCancel request,
        boolean complete,
        @Nullable UserId after,
        int users,
        long canceled,
        List<UserOrder> remaining,
        long unlisted,
        List<UserId> ended) {
    private static final int MOST = 1_000;

    public FleetMassCancelReport {
        remaining = List.copyOf(remaining);
        ended = List.copyOf(ended);
    }

    /** One order of a user. */
    public record UserOrder(UserId userId, MassCancelItem order) {}

    /** Before the first user. */
    public static FleetMassCancelReport begun(MassCancel request) {
        return new FleetMassCancelReport(request, false, null, 0, 0, List.of(), 0, List.of());
    }

    FleetMassCancelReport completed() {
        return new FleetMassCancelReport(request, true, after, users, canceled, remaining, unlisted, ended);
    }

    FleetMassCancelReport begunWith(UserId last) {
        return new FleetMassCancelReport(request, complete, last, users, canceled, remaining, unlisted, ended);
    }

    FleetMassCancelReport withEnded(UserId userId) {
        List<UserId> all = Stream.concat(ended.stream(), Stream.of(userId)).toList();
        return new FleetMassCancelReport(request, complete, after, users, canceled, remaining, unlisted, all);
    }

    /** One user's part is done. */
    FleetMassCancelReport with(UserId userId, MassCancelReport done) {
        List<UserOrder> all = Stream.concat(
                        remaining.stream(),
                        done.items().stream()
                                .filter(item -> item.outcome() != MassCancelItem.Outcome.CANCELED)
                                .map(item -> new UserOrder(userId, item)))
                .toList();
        List<UserOrder> listed = new ArrayList<>(all.subList(0, Math.min(MOST, all.size())));
        return new FleetMassCancelReport(
                request,
                complete,
                after,
                users + 1,
                canceled + done.count(MassCancelItem.Outcome.CANCELED),
                listed,
                unlisted + done.unlisted() + all.size() - listed.size(),
                ended);
    }
}
