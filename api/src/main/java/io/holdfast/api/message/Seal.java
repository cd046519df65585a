package io.holdfast.api.message;

import org.jspecify.annotations.Nullable;

/**
 * How a payload is encrypted at rest.
 *
 * @param keyId the key it is encrypted under
 * @param problem why it could not be decrypted, so that the payload is empty; null if it could. A
 *     message that is delivered never has one
 */
public record Seal(String keyId, @Nullable String problem) {}
