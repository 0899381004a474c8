/** The API's own document (OpenAPI), at {@code /v3/api-docs}: clients are generated from it. */
@NullMarked
package dev.berth.rest.openapi;

import org.jspecify.annotations.NullMarked;
