package dev.berth.activities.webhook;

import dev.berth.workflows.webhook.WebhookOwner;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Resolves names with a time limit. The JDK's call has none and cannot be cancelled, so each call
 * has a thread of its own, which may stay behind while the name's server is silent.
 */
final class NameLookups {
    /** Calls of one owner that are under way. An answer takes milliseconds. */
    static final int MAX_OF_OWNER = 8;
    /**
     * The look-ups of all users together. Those of the operators come on top, since no user may
     * delay them.
     */
    static final int MAX_OF_USERS = 64;

    /** {@link InetAddress#getAllByName}, or a test's. */
    interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    private final Resolver resolver;
    private final Map<WebhookOwner, Integer> underWay = new HashMap<>();
    private int ofUsers;

    NameLookups(Resolver resolver) {
        this.resolver = resolver;
    }

    /**
     * Every address of a name.
     *
     * @throws IOException when the name has none, the limit has passed, or too many calls of the
     *     owner or of all users are under way
     */
    InetAddress[] addresses(WebhookOwner owner, String host, Duration limit) throws IOException {
        begin(owner);
        CompletableFuture<InetAddress[]> answer = new CompletableFuture<>();
        boolean isStarted = false;
        try {
            // The JDK's call would hold the carrier of a virtual thread.
            Thread.ofPlatform().daemon().name("webhook-lookup").start(() -> resolve(owner, host, answer));
            isStarted = true;
        } finally {
            if (!isStarted) {
                end(owner);
            }
        }
        try {
            return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new SocketTimeoutException("the name was not resolved in time");
        } catch (ExecutionException failed) {
            throw new IOException("the name cannot be resolved", failed.getCause());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the attempt was interrupted");
        }
    }

    private void resolve(WebhookOwner owner, String host, CompletableFuture<InetAddress[]> answer) {
        try {
            InetAddress[] found = resolver.resolve(host);
            end(owner);
            answer.complete(found);
        } catch (UnknownHostException | RuntimeException failed) {
            end(owner);
            answer.completeExceptionally(failed);
        }
    }

    private synchronized void begin(WebhookOwner owner) throws IOException {
        int own = underWay.getOrDefault(owner, 0);
        boolean isUser = !owner.equals(WebhookOwner.FLEET);
        if (own >= MAX_OF_OWNER || (isUser && ofUsers >= MAX_OF_USERS)) {
            throw new IOException("too many names wait to be resolved");
        }
        underWay.put(owner, own + 1);
        ofUsers += isUser ? 1 : 0;
    }

    private synchronized void end(WebhookOwner owner) {
        underWay.computeIfPresent(owner, (_, count) -> count == 1 ? null : count - 1);
        ofUsers -= owner.equals(WebhookOwner.FLEET) ? 0 : 1;
    }
}
