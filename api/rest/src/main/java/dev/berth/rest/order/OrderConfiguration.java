package dev.berth.rest.order;

import dev.berth.activities.order.EventSearch;
import dev.berth.activities.order.UserEventLog;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Adapters for orders. */
@Configuration
@Import({EventSearch.class, UserEventLog.class})
class OrderConfiguration {}
