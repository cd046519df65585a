package io.holdfast.api.commit;

/**
 * A producer session.
 *
 * @param id names the session in a {@link RequestNumber}; no other client can guess it
 */
public record OpenedSession(String id) {}
