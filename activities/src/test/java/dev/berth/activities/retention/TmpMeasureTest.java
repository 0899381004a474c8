package dev.berth.activities.retention;

import static dev.berth.activities.ActivitySamples.NOON;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.TestRedis;
import dev.berth.workflows.order.OrderStatus;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class TmpMeasureTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    @TempDir
    private Path folder;

    private void sql(String what, String text) {
        long start = System.nanoTime();
        postgres.owner().execute(text);
        System.out.println("MEASURE " + what + " " + (System.nanoTime() - start) / 1_000_000 + " ms");
    }

    @Test
    void measure() {
        new ArchiveSamples(postgres, redis).record("o-0", OrderStatus.FILLED, NOON);
        int n = 100_000;
        postgres.owner().execute("ALTER TABLE order_events DISABLE TRIGGER take_position; ALTER TABLE fills DISABLE TRIGGER take_position");
        sql(
                "fill orders",
                "INSERT INTO orders SELECT user_id, 'o-' || n, request_hash, symbol, status, revision,"
                        + " submitted_at - n * interval '36 s', state FROM orders, generate_series(1, " + n
                        + ") n WHERE client_order_id = 'o-0'");
        sql(
                "fill events",
                "INSERT INTO order_events SELECT user_id, 'o-' || n, revision, at, state, 1"
                        + " FROM order_events, generate_series(1, " + n + ") n WHERE client_order_id = 'o-0'");
        sql(
                "fill fills",
                "INSERT INTO fills SELECT user_id, 'o-' || n, execution_id, leg, quantity, price, at, busted, 1"
                        + " FROM fills, generate_series(1, " + n + ") n WHERE client_order_id = 'o-0'");
        sql("partitioned", "CREATE TABLE p (LIKE orders) PARTITION BY RANGE (submitted_at)");
        postgres.owner().execute("ALTER TABLE p ADD PRIMARY KEY (user_id, client_order_id, submitted_at)");
        for (int i = 0; i < 4; i++) {
            postgres.owner()
                    .execute("CREATE TABLE p" + i + " PARTITION OF p FOR VALUES FROM ('2026-03-03'::timestamptz - "
                            + (i + 1) * 11 + " * interval '1 d') TO ('2026-03-03'::timestamptz - " + i * 11
                            + " * interval '1 d')");
        }
        sql("copy", "INSERT INTO p SELECT * FROM orders");
        postgres.owner().execute("ANALYZE");
        for (int round = 0; round < 3; round++) {
            for (String table : new String[] {"orders", "p"}) {
                sql(
                        "20000 lookups in " + table,
                        "SELECT count(x.state) FROM generate_series(1, 20000) n, LATERAL (SELECT state FROM " + table
                                + " WHERE user_id = 'alice' AND client_order_id = 'o-' || (n * 5) OFFSET 0) x");
            }
        }
        OrderArchive archive = new ArchiveSamples(postgres, redis).archive(folder);
        long start = System.nanoTime();
        long write = 0;
        long delete = 0;
        long worst = 0;
        for (Long number = archive.write(); number != null; number = archive.write()) {
            long written = System.nanoTime();
            archive.delete(number);
            write += written - start;
            delete += System.nanoTime() - written;
            worst = Math.max(worst, System.nanoTime() - written);
            start = System.nanoTime();
        }
        System.out.println("MEASURE files " + archive.files().size() + "+ write " + write / 101_000_000
                + " ms each, delete " + delete / 101_000_000 + " ms each, worst " + worst / 1_000_000 + " bytes "
                + archive.files().get(50).bytes());
    }
}
