package dev.berth.rest.websocket;

import dev.berth.process.settings.BerthSettings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.apache.tomcat.websocket.server.WsSci;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/** Tomcat's WebSockets, which the embedded server does not look for by itself. */
@Configuration
class WebSocketConfiguration {
    @Bean
    static WebServerFactoryCustomizer<TomcatServletWebServerFactory> webSocketContainer() {
        return tomcat ->
                tomcat.addContextCustomizers(context -> context.addServletContainerInitializer(new WsSci(), null));
    }

    @Bean
    WebSockets webSockets(BerthSettings settings, InstantSource clock, MeterRegistry metrics) {
        WebSockets sockets = new WebSockets(settings.webSocket(), clock);
        Gauge.builder("berth.connections", sockets, WebSockets::count)
                .description("open WebSockets")
                .register(metrics);
        return sockets;
    }

    /** A graceful shutdown waits for requests, not for WebSockets. */
    @Configuration
    static class Shutdown {
        private final WebSockets sockets;

        Shutdown(WebSockets sockets) {
            this.sockets = sockets;
        }

        @EventListener(ContextClosedEvent.class)
        void close() throws InterruptedException {
            sockets.closeAll();
        }
    }
}
