package dev.berth.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports that the server has not acknowledged yet, in the order in which they came. */
final class UnacknowledgedReports {
    private static final Logger LOG = LoggerFactory.getLogger(UnacknowledgedReports.class);
    private static final int MOST = 10_000;

    private final Map<Long, ObjectNode> frames = new LinkedHashMap<>();
    private long last;

    /** The frame to send. */
    synchronized ObjectNode add(String account, Broker.Report report) {
        ObjectNode frame = SdkFrames.frame("report").put("reportId", ++last).put("account", account);
        frame.set("report", SdkFrames.report(report));
        frames.put(last, frame);
        if (frames.size() > MOST) {
            frames.remove(frames.keySet().iterator().next());
            LOG.error("a report was dropped: {} others wait for Berth", MOST);
        }
        return frame;
    }

    /** The server has it, or refuses it for good. */
    synchronized void settle(long reportId) {
        frames.remove(reportId);
    }

    /** The id of the newest one. */
    synchronized long last() {
        return last;
    }

    synchronized List<ObjectNode> all() {
        return List.copyOf(frames.values());
    }
}
