package dev.berth.rest;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a call that costs more than its own row in PostgreSQL: it signals a worker lifecycle, which
 * costs a workflow task and perhaps a process, it takes its turn in the users' chain of the audit,
 * it submits many orders, or it sends many messages again.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CostlyCommand {}
