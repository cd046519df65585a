package io.holdfast.cli.output;

import io.holdfast.cli.terminal.ByteCount;
import io.holdfast.cli.terminal.Printable;
import io.holdfast.json.JsonCheck;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Formats a payload on one line: as JSON, as text, or else its first bytes in hexadecimal. */
public final class PayloadText {
  private static final int HEX_BYTES_MAX = 32;

  private PayloadText() {}

  public static String line(byte[] payload) {
    if (JsonCheck.isOneValue(payload)) {
      return JsonLine.of(payload);
    }
    try {
      return Printable.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString());
    } catch (CharacterCodingException notText) {
      boolean cut = payload.length > HEX_BYTES_MAX;
      String hex = HexFormat.of().formatHex(cut ? Arrays.copyOf(payload, HEX_BYTES_MAX) : payload);
      return "0x" + hex + (cut ? "… (" + new ByteCount(payload.length) + ")" : "");
    }
  }
}
