package dev.berth.workflows.masscancel;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.account.UnusedAccountControl;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.masscancel.VenueMassCancel.Round;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers with one round after the other, the last one again and again. */
final class FakeMassCancelVenue extends UnusedAccountControl {
    final List<VenueMassCancel> calls = Collections.synchronizedList(new ArrayList<>());
    final Map<AccountKey, List<Object>> rounds = new LinkedHashMap<>();
    Runnable onCall = () -> {};

    void answers(AccountKey account, Object... answers) {
        rounds.put(account, new ArrayList<>(List.of(answers)));
    }

    @Override
    public Round massCancel(VenueMassCancel command) {
        calls.add(command);
        onCall.run();
        List<Object> left = rounds.getOrDefault(command.account(), List.of(new Round(List.of(), 0)));
        Object answer = left.size() > 1 ? left.removeFirst() : left.getFirst();
        if (answer instanceof FailureType failure) {
            throw failure.failure("not now");
        }
        return (Round) answer;
    }
}
