/** Which of a customer's machines serves the customer's accounts. */
@NullMarked
package dev.berth.activities.remote;

import org.jspecify.annotations.NullMarked;
