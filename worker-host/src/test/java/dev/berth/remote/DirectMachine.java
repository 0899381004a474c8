package dev.berth.remote;

import dev.berth.routing.CallResult;
import dev.berth.routing.RoutedHandler;
import dev.berth.routing.RoutedRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;

/** The Java SDK behind a replica, without the connection between the two. */
public final class DirectMachine implements RoutedHandler, AutoCloseable {
    private final CallJournal journal;
    private final JournaledCalls calls;

    public DirectMachine(Broker broker, String account, Path folder) throws IOException {
        LatestServerTime clock = new LatestServerTime();
        clock.observe(Instant.now(), clock.read());
        this.journal = new CallJournal(folder, InstantSource.system());
        this.calls = new JournaledCalls(broker, Set.of(account), journal, clock);
    }

    @Override
    public CallResult handle(RoutedRequest request) throws InterruptedException {
        JournaledCalls.Call call = JournaledCalls.Call.of(SdkFrames.read(request.payload()));
        return new CallResult.Answered(SdkFrames.write(calls.answer(call, () -> true)));
    }

    /** A report as it stands in a frame. */
    public static String json(Broker.Report report) {
        return SdkFrames.report(report).toString();
    }

    @Override
    public void close() {
        try {
            journal.close();
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }
}
