package dev.berth.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.gateway.ConnectionCrowd.Admitted;
import dev.berth.gateway.ConnectionCrowd.Full;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("X32")
class ConnectionCrowdTest {
    private static final class Connection implements ConnectionCrowd.Member {
        private final InetAddress address;
        private boolean answering;

        Connection(int host) {
            try {
                address = InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) host});
            } catch (UnknownHostException fourBytes) {
                throw new IllegalStateException(fourBytes);
            }
        }

        @Override
        public @Nullable InetAddress address() {
            return address;
        }

        @Override
        public boolean isAnswering() {
            return answering;
        }
    }

    private long nanos;
    private final ConnectionCrowd crowd = new ConnectionCrowd(4, Duration.ofSeconds(1), () -> nanos);

    private Connection added(int host) {
        Connection connection = new Connection(host);
        assertThat(crowd.add(connection)).isEqualTo(new Admitted(Optional.empty()));
        return connection;
    }

    @Test
    void crowdedAddressGivesItsOldestUpForAnother() {
        added(2);
        Connection oldest = added(1);
        Connection next = added(1);
        added(1);
        assertThat(crowd.add(new Connection(3))).isEqualTo(new Admitted(Optional.of(oldest)));
        assertThat(crowd.add(new Connection(4))).isEqualTo(new Admitted(Optional.of(next)));
        assertThat(crowd.add(new Connection(5))).as("each address has one").isEqualTo(new Full());
        assertThat(crowd.size()).isEqualTo(4);
    }

    @Test
    void behindBalancerOldestGivesWayOnceItLastedTooLong() {
        Connection oldest = added(1);
        nanos += Duration.ofMillis(500).toNanos();
        Connection next = added(1);
        added(1);
        added(1);
        assertThat(crowd.add(new Connection(1))).isEqualTo(new Full());
        nanos += Duration.ofMillis(500).toNanos();
        assertThat(crowd.add(new Connection(1))).isEqualTo(new Admitted(Optional.of(oldest)));
        assertThat(crowd.add(new Connection(1))).isEqualTo(new Full());
        crowd.remove(next);
        added(1);
    }

    @Test
    void connectionThatIsBeingAnsweredKeepsItsPlace() {
        Connection enrolling = added(1);
        enrolling.answering = true;
        Connection second = added(1);
        added(1);
        added(1);
        nanos += Duration.ofSeconds(2).toNanos();
        assertThat(crowd.add(new Connection(2))).isEqualTo(new Admitted(Optional.of(second)));
    }
}
