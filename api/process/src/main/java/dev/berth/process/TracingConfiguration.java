package dev.berth.process;

import dev.berth.process.settings.OtlpOptions;
import dev.berth.temporal.tracing.OtlpExport;
import dev.berth.temporal.tracing.SpanExport;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Where spans go. */
@Configuration(proxyBeanMethods = false)
public class TracingConfiguration {

    @Bean
    SpanExport spans(Environment environment) {
        return export(environment, "berth-api");
    }

    /** An export with a queue of its own; of no effect without an endpoint. */
    public static SpanExport export(Environment environment, String service) {
        OtlpOptions otlp = Binder.get(environment).bindOrCreate("berth.otlp", OtlpOptions.class);
        return otlp.endpoint() == null ? SpanExport.NONE : new OtlpExport(otlp.endpoint(), service);
    }
}
