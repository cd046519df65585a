package io.holdfast.client.remote;

/**
 * What a server answered.
 *
 * @param type its content type; empty if it told none
 * @param lasting whether the connection can be used again
 */
record Reply(int status, String type, byte[] body, boolean lasting) {}
