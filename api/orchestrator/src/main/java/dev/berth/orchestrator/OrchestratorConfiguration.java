package dev.berth.orchestrator;

import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;

/** What lifecycles, the pool and the sweep call, and the listeners that signal them. */
@Configuration
@ComponentScan
public class OrchestratorConfiguration {}
