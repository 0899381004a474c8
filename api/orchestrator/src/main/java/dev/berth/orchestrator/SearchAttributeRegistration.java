package dev.berth.orchestrator;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.berth.process.PeriodicTask;
import dev.berth.temporal.NamespaceSearchAttributes;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/**
 * Adds missing search attributes before the workers start, and every minute. The workers start in
 * any case after 30 s: a workflow task that sets an unknown attribute fails and is retried.
 */
@Component
class SearchAttributeRegistration extends PeriodicTask implements ApplicationRunner {
    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final Logger LOG = LoggerFactory.getLogger(SearchAttributeRegistration.class);

    private final NamespaceSearchAttributes attributes;
    private final CountDownLatch checked = new CountDownLatch(1);

    SearchAttributeRegistration(WorkflowClient temporal) {
        super("search-attributes", INTERVAL);
        this.attributes = new NamespaceSearchAttributes(
                temporal.getWorkflowServiceStubs().getRawChannel(),
                temporal.getOptions().getNamespace());
    }

    @Override
    public void run(ApplicationArguments arguments) throws InterruptedException {
        if (!checked.await(START_TIMEOUT.toSeconds(), SECONDS)) {
            LOG.warn("the search attributes are not checked yet; the workers start in any case");
        }
    }

    @Override
    protected void round() throws InterruptedException {
        try {
            attributes.addMissing();
        } finally {
            checked.countDown();
        }
    }
}
