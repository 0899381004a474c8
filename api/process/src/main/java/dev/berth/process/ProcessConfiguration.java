package dev.berth.process;

import dev.berth.process.settings.BerthSettings;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;

/** The settings, connections and adapters of every process but one that is a gateway alone. */
@Configuration
@ComponentScan
@EnableConfigurationProperties(BerthSettings.class)
public class ProcessConfiguration {}
