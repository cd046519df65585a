package io.holdfast.engine.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.message.NewMessage;
import io.holdfast.engine.command.Envelope;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.junit.jupiter.api.Test;

/** Payloads sealed and opened, bit by bit. */
class PayloadCipherTest {
  private static final byte[] PAYLOAD = bytes("a payload");
  private static final byte[] PLACE = bytes("a place");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] key(int each) {
    byte[] key = new byte[Xaes.KEY_BYTES];
    Arrays.fill(key, (byte) each);
    return key;
  }

  private static byte[] sealed() {
    return new PayloadCipher(new Xaes(key(1)))
        .seal(7, new byte[Envelope.NONCE_BYTES], PLACE, PAYLOAD);
  }

  /** The two examples that the specification of XAES-256-GCM gives. */
  @Test
  void shouldDeriveKeysAsSpecified() throws GeneralSecurityException {
    assertThat(xaes(1, "")).isEqualTo("ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271");
    assertThat(xaes(3, "c2sp.org/XAES-256-GCM"))
        .isEqualTo("986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d");
  }

  private static String xaes(int key, String data) throws GeneralSecurityException {
    byte[] nonce = bytes("ABCDEFGHIJKLMNOPQRSTUVWX");
    Cipher gcm = Cipher.getInstance("AES/GCM/NoPadding");
    gcm.init(
        Cipher.ENCRYPT_MODE,
        new Xaes(key(key)).derived(nonce, 0),
        new GCMParameterSpec(128, nonce, Xaes.PREFIX_BYTES, 12));
    gcm.updateAAD(bytes(data));
    return HexFormat.of().formatHex(gcm.doFinal(bytes("XAES-256-GCM")));
  }

  @Test
  void shouldOpenWhatItSealed() {
    // given
    byte[] envelope = sealed();
    // then
    assertThat(envelope).hasSize(PAYLOAD.length + Envelope.OVERHEAD_BYTES);
    assertThat(new String(envelope, StandardCharsets.ISO_8859_1)).doesNotContain("payload");
    assertThat(new PayloadCipher(new Xaes(key(1))).open(envelope, PLACE)).isEqualTo(PAYLOAD);
  }

  @Test
  void shouldOpenNothingThatWasChangedAnywhere() {
    // given
    byte[] envelope = sealed();
    for (int bit = 0; bit < 8 * envelope.length; bit++) {
      byte[] changed = envelope.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      // then
      assertThat(new PayloadCipher(new Xaes(key(1))).open(changed, PLACE))
          .as("bit " + bit)
          .isNull();
    }
    for (int length = Envelope.OVERHEAD_BYTES; length < envelope.length; length++) {
      byte[] cut = Arrays.copyOf(envelope, length);
      assertThat(new PayloadCipher(new Xaes(key(1))).open(cut, PLACE)).isNull();
    }
    assertThat(new PayloadCipher(new Xaes(key(2))).open(envelope, PLACE)).isNull();
  }

  @Test
  void shouldOpenNothingElsewhere() {
    // given
    byte[] here = Place.of("q", "p", "n", Map.of("a", "1", "b", "2"));
    List<byte[]> elsewhere =
        List.of(
            Place.of("r", "p", "n", Map.of("a", "1", "b", "2")),
            Place.of("q", "r", "n", Map.of("a", "1", "b", "2")),
            Place.of("q", "p", "m", Map.of("a", "1", "b", "2")),
            Place.of("q", "p", null, Map.of("a", "1", "b", "2")),
            Place.of("q", "p", "n", Map.of("a", "1")),
            Place.of("q", "p", "n", Map.of("a", "1", "b", "3")),
            Place.of("qp", "", "n", Map.of("a", "1", "b", "2")));
    PayloadCipher cipher = new PayloadCipher(new Xaes(key(1)));
    // when
    byte[] envelope = cipher.seal(7, new byte[Envelope.NONCE_BYTES], here, PAYLOAD);
    // then
    assertThat(cipher.open(envelope, Place.of("q", "p", "n", Map.of("b", "2", "a", "1"))))
        .isEqualTo(PAYLOAD);
    elsewhere.forEach(place -> assertThat(cipher.open(envelope, place)).isNull());
  }

  @Test
  void shouldNeverUseANonceTwice() {
    // given
    Keys keys = Keys.of(key(1));
    Set<ByteBuffer> nonces = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      PayloadSealer sealer = new PayloadSealer(keys, queue -> true);
      for (int j = 0; j < 100; j++) {
        byte[] envelope = sealer.seal(NewMessage.to("q", PAYLOAD));
        // then
        assertThat(envelope).isNotNull();
        assertThat(nonces.add(ByteBuffer.wrap(envelope, Envelope.NONCE_AT, Envelope.NONCE_BYTES)))
            .isTrue();
      }
    }
  }

  @Test
  void shouldTellKeysApartByThemselves() {
    // then
    assertThat(Keys.idOf(key(1))).isEqualTo(Keys.idOf(key(1))).isNotEqualTo(Keys.idOf(key(2)));
    assertThat(Keys.of(key(1), key(2)).current()).isEqualTo(Keys.idOf(key(2)));
    assertThat(Keys.of(key(1), key(2)).toString()).isEqualTo("2 keys");
    assertThatThrownBy(() -> Keys.of(key(1), key(1))).hasMessageContaining("twice");
    assertThatThrownBy(() -> Keys.of(new byte[16])).hasMessageContaining("expected 32 bytes");
    assertThatThrownBy(Keys::of).hasMessageContaining("there is none");
  }
}
