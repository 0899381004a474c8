package dev.berth.gateway;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** Sees a request while it arrives: an interceptor sees it when the gateway has all of it. */
final class RequestSize extends ServerStreamTracer {
    static final Context.Key<RequestSize> KEY = Context.key("request-size");

    /** One for each call. */
    static final Factory FACTORY = new Factory() {
        @Override
        public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
            return new RequestSize();
        }
    };

    /** Called by one thread at a time. */
    interface Meter {
        void received(long bytes);

        /** Once, when the call has ended for the client too. */
        void ended();
    }

    private volatile @Nullable Meter meter;

    private RequestSize() {}

    /** Set before anything of the request is read. */
    void use(Meter call) {
        meter = call;
    }

    @Override
    public Context filterContext(Context context) {
        return context.withValue(KEY, this);
    }

    @Override
    public void inboundWireSize(long bytes) {
        Meter call = meter;
        if (call != null && bytes > 0) {
            call.received(bytes);
        }
    }

    @Override
    public void streamClosed(Status status) {
        Meter call = meter;
        if (call != null) {
            call.ended();
        }
    }
}
