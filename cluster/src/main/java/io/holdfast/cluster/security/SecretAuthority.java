package io.holdfast.cluster.security;

import java.io.ByteArrayInputStream;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Signs the certificates of nodes with a key that is derived from the secret of the cluster, so
 * that only who knows the secret can make one.
 */
final class SecretAuthority {
  /** A shorter secret could be guessed by whoever sees a certificate. */
  static final int SECRET_LENGTH_MIN = 16;

  private static final String ALGORITHM = "Ed25519";
  private static final int KEY_BYTES = 32;
  private static final int SERIAL_BYTES = 16;

  /** Makes each guess take some hundredths of a second. */
  private static final int ITERATIONS = 100_000;

  private static final byte[] SALT =
      "holdfast cluster secret 1".getBytes(StandardCharsets.US_ASCII);

  private static final String ISSUER = "Holdfast cluster";

  /** The certificates live as long as the process; the clock of a node may be wrong. */
  private static final String FROM = "20000101000000Z";

  private static final String UNTIL = "99991231235959Z";

  private static final byte[] ED25519 = DerWriter.objectId(0x2b, 0x65, 0x70);
  private static final byte[] COMMON_NAME = DerWriter.objectId(0x55, 0x04, 0x03);

  private final KeyPair keys;

  SecretAuthority(String secret) {
    if (secret.length() < SECRET_LENGTH_MIN) {
      throw new IllegalArgumentException(
          "The cluster secret must have at least "
              + SECRET_LENGTH_MIN
              + " characters, but has "
              + secret.length()
              + ". Use a random one, such as: openssl rand -base64 32");
    }
    try {
      PBEKeySpec spec =
          new PBEKeySpec(secret.toCharArray(), SALT, ITERATIONS, KEY_BYTES * Byte.SIZE);
      byte[] seed =
          SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
      KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
      generator.initialize(KEY_BYTES * Byte.SIZE - 1, new Seed(seed));
      keys = generator.generateKeyPair();
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("This Java has no " + ALGORITHM + ".", missing);
    }
  }

  /** The bytes of a private key of Ed25519 are random ones: here they are these. */
  private static final class Seed extends SecureRandom {
    @Serial private static final long serialVersionUID = 1;

    private final byte[] seed;

    Seed(byte[] seed) {
      this.seed = seed;
    }

    @Override
    public void nextBytes(byte[] bytes) {
      if (bytes.length != seed.length) {
        throw new IllegalStateException("This Java makes keys of Ed25519 in another way.");
      }
      System.arraycopy(seed, 0, bytes, 0, seed.length);
    }
  }

  /** Makes a key and a certificate for a node. */
  NodeKeys issue(String node) {
    try {
      KeyPair own = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
      byte[] serial = new byte[SERIAL_BYTES];
      new SecureRandom().nextBytes(serial);
      serial[0] = 1;
      byte[] content =
          DerWriter.sequence(
              DerWriter.tagged(0, DerWriter.integer((byte) 2)),
              DerWriter.integer(serial),
              DerWriter.sequence(ED25519),
              name(ISSUER),
              DerWriter.sequence(DerWriter.time(FROM), DerWriter.time(UNTIL)),
              name(node),
              own.getPublic().getEncoded());
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(keys.getPrivate());
      signature.update(content);
      byte[] encoded =
          DerWriter.sequence(
              content, DerWriter.sequence(ED25519), DerWriter.bits(signature.sign()));
      X509Certificate certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(encoded));
      return new NodeKeys(own.getPrivate(), new X509Certificate[] {certificate});
    } catch (GeneralSecurityException failed) {
      throw new IllegalStateException("A certificate cannot be made.", failed);
    }
  }

  private static byte[] name(String name) {
    return DerWriter.sequence(DerWriter.set(DerWriter.sequence(COMMON_NAME, DerWriter.text(name))));
  }

  /** The key that the certificates of all nodes are signed with. */
  PublicKey publicKey() {
    return keys.getPublic();
  }
}
