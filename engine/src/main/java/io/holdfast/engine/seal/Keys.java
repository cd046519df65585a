package io.holdfast.engine.seal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a broker encrypts payloads with: the current one for new messages, the others to
 * read what was stored under them. Immutable.
 *
 * <p>The id of a key is made of the key, so that no other key can be taken for it.
 */
public final class Keys {
  /** No key: nothing can be encrypted, and nothing that is can be read. */
  public static final Keys NONE = new Keys(Map.of(), 0);

  private static final String MAC = "HmacSHA256";
  private static final byte[] ID_LABEL = "holdfast key id".getBytes(StandardCharsets.US_ASCII);

  private final Map<Integer, Xaes> byId;
  private final int current;

  private Keys(Map<Integer, Xaes> byId, int current) {
    this.byId = byId;
    this.current = current;
  }

  /**
   * Keys of 256 bits each; the last one is the current one.
   *
   * @throws IllegalArgumentException if there is none, one is of another length, or there twice
   */
  public static Keys of(byte[]... keys) {
    return of(List.of(keys), keys.length - 1);
  }

  static Keys of(List<byte[]> keys, int current) {
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("keys: expected one at least, but there is none");
    }
    Map<Integer, Xaes> byId = new HashMap<>();
    for (byte[] key : keys) {
      Xaes one = new Xaes(key);
      if (byId.put(idOf(key), one) != null) {
        throw new IllegalArgumentException("keys: expected each once, but one is there twice");
      }
    }
    return new Keys(Map.copyOf(byId), idOf(keys.get(current)));
  }

  /** The id of a key: a part of a digest that says nothing else of it. */
  static int idOf(byte[] key) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(key, MAC));
      byte[] digest = mac.doFinal(ID_LABEL);
      return HexFormat.fromHexDigits(HexFormat.of().formatHex(digest, 0, 4));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + MAC, e);
    }
  }

  public boolean isEmpty() {
    return byId.isEmpty();
  }

  /** The ids of all keys. */
  public Set<Integer> ids() {
    return byId.keySet();
  }

  /** The id of the key for new messages. */
  int current() {
    return current;
  }

  @Nullable Xaes key(int id) {
    return byId.get(id);
  }

  /** How many there are; never what they are. */
  @Override
  public String toString() {
    return isEmpty() ? "none" : byId.size() + " keys";
  }
}
