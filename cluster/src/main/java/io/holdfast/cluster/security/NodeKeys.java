package io.holdfast.cluster.security;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/**
 * The key that a node proves itself with.
 *
 * @param chain its certificate, followed by intermediate ones
 */
record NodeKeys(PrivateKey key, X509Certificate[] chain) {}
