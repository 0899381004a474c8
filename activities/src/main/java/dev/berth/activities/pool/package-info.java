/** The warm pool in Redis, SQS and ECS. */
@NullMarked
package dev.berth.activities.pool;

import org.jspecify.annotations.NullMarked;
