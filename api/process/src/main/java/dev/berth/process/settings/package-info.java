/** Every setting of Berth. */
@NullMarked
package dev.berth.process.settings;

import org.jspecify.annotations.NullMarked;
