package dev.berth.rest;

import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;

/** REST, streams and the page. */
@Configuration
@ComponentScan
public class RestConfiguration {}
