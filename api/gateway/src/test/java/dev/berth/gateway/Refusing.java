package dev.berth.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a refused caller sees. */
final class Refusing {
    private Refusing() {}

    static void assertRefused(GatewayFixture gateway, Refusal reason, Status.Code code, ThrowingCallable call) {
        gateway.refused.clear();
        StatusRuntimeException refused = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refused).as("refused with %s", reason).isNotNull();
        assertThat(refused.getStatus().getCode()).as(refused.getMessage()).isEqualTo(code);
        assertThat(gateway.refused)
                .extracting(GatewayFixture.Refused::reason)
                .as(refused.getMessage())
                .containsExactly(reason);
    }

    static Status statusOf(ThrowingCallable call) {
        StatusRuntimeException failed = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(failed).isNotNull();
        return failed.getStatus();
    }

    static void assertDenied(GatewayFixture gateway, Refusal reason, ThrowingCallable call) {
        assertRefused(gateway, reason, Status.Code.PERMISSION_DENIED, call);
    }
}
