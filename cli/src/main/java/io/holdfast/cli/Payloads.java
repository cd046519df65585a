package io.holdfast.cli;

import io.holdfast.cli.terminal.ByteCount;
import io.holdfast.cli.terminal.Printable;
import io.holdfast.server.http.JsonCheck;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Payloads as people see them: JSON on one line, text, or the first bytes of something else. */
final class Payloads {
  private static final int HEX_BYTES_MAX = 32;

  private Payloads() {}

  /** A payload on one line, safe to show. */
  static String line(byte[] payload) {
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
