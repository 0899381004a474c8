package dev.berth.process;

import dev.berth.workflows.WorkflowIds;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.MDC;

/** Adds {@code workflowId}, {@code userId} and {@code orderId} to each log line of an activity. */
final class ActivityLogContext extends WorkerInterceptorBase {

    @Override
    public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
        return new Named(next);
    }

    private static final class Named extends ActivityInboundCallsInterceptorBase {
        private Map<String, String> names = Map.of();

        private Named(ActivityInboundCallsInterceptor next) {
            super(next);
        }

        @Override
        public void init(ActivityExecutionContext context) {
            names = namesOf(context.getInfo().getWorkflowId());
            super.init(context);
        }

        @Override
        public ActivityOutput execute(ActivityInput input) {
            names.forEach(MDC::put);
            try {
                return super.execute(input);
            } finally {
                names.keySet().forEach(MDC::remove);
            }
        }
    }

    static Map<String, String> namesOf(String workflowId) {
        Map<String, String> names = new HashMap<>();
        names.put("workflowId", workflowId);
        WorkflowIds.userOfWorker(workflowId).ifPresent(user -> names.put(LogFields.USER, user.value()));
        WorkflowIds.order(workflowId).ifPresent(order -> {
            names.put(LogFields.USER, order.userId().value());
            names.put(LogFields.ORDER, order.clientOrderId().value());
        });
        return names;
    }
}
