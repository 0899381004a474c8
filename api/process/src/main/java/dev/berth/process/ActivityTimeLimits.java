package dev.berth.process;

import io.temporal.activity.ActivityOptions;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptorBase;
import java.time.Duration;
import java.util.Map;

/**
 * Gives activities the limits of the settings in place of those of their workflow's policies. A
 * replay does not compare limits, so a changed setting applies to running workflows too.
 */
final class ActivityTimeLimits extends WorkerInterceptorBase {
    private final Map<String, Duration> limits;

    /** @param limits the longest attempt of an activity, by its type */
    ActivityTimeLimits(Map<String, Duration> limits) {
        this.limits = Map.copyOf(limits);
    }

    @Override
    public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
        return new WorkflowInboundCallsInterceptorBase(next) {
            @Override
            public void init(WorkflowOutboundCallsInterceptor outbound) {
                super.init(new Limited(outbound));
            }
        };
    }

    private final class Limited extends WorkflowOutboundCallsInterceptorBase {
        private Limited(WorkflowOutboundCallsInterceptor next) {
            super(next);
        }

        @Override
        public <R> ActivityOutput<R> executeActivity(ActivityInput<R> input) {
            Duration limit = limits.get(input.getActivityName());
            return super.executeActivity(limit == null ? input : limited(input, limit));
        }

        private static <R> ActivityInput<R> limited(ActivityInput<R> input, Duration limit) {
            return new ActivityInput<>(
                    input.getActivityName(),
                    input.getResultClass(),
                    input.getResultType(),
                    input.getArgs(),
                    ActivityOptions.newBuilder(input.getOptions())
                            .setStartToCloseTimeout(limit)
                            .build(),
                    input.getHeader());
        }
    }
}
