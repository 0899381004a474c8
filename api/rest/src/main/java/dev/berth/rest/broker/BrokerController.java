package dev.berth.rest.broker;

import dev.berth.workflows.broker.ServedBrokers;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the adapters of brokers can do. */
@RestController
@RequestMapping("/v1/brokers")
@Tag(name = "accounts")
class BrokerController {
    @GetMapping
    @Operation(
            summary = "The brokers that are served, and what each can do",
            description = "By asset class. An order that its broker cannot take is refused with not-supported before"
                    + " it is accepted. credentials is a JSON schema of the body that stores them. proof says with"
                    + " whom the adapter's tests ran.")
    BrokersView brokers() {
        return new BrokersView(
                ServedBrokers.ALL.stream().map(BrokersView.BrokerView::of).toList());
    }
}
