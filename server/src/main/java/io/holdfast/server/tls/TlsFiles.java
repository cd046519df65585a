package io.holdfast.server.tls;

import java.nio.file.Path;

/**
 * The files a server proves itself with, both in PEM.
 *
 * @param certificate its certificate, and behind it those that vouch for it
 * @param key the private key of the certificate, as PKCS#8 without a password
 */
public record TlsFiles(Path certificate, Path key) {}
