package io.holdfast.cluster.security;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the few values of ASN.1 that a certificate is made of, in DER. */
final class DerWriter {
  private static final int BOOLEAN = 0x01;
  private static final int INTEGER = 0x02;
  private static final int BITS = 0x03;
  private static final int OCTETS = 0x04;
  private static final int OBJECT_ID = 0x06;
  private static final int TEXT = 0x0c;
  private static final int TIME = 0x18;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int TAGGED = 0xa0;

  private DerWriter() {}

  static byte[] sequence(byte[]... parts) {
    return value(SEQUENCE, concat(parts));
  }

  static byte[] set(byte[]... parts) {
    return value(SET, concat(parts));
  }

  static byte[] tagged(int number, byte[] content) {
    return value(TAGGED + number, content);
  }

  /** An unsigned number, given as big-endian bytes. */
  static byte[] integer(byte... number) {
    return value(INTEGER, number[0] < 0 ? concat(new byte[1], number) : number);
  }

  static byte[] yes() {
    return value(BOOLEAN, new byte[] {(byte) 0xff});
  }

  static byte[] bits(byte[] content) {
    return value(BITS, concat(new byte[1], content));
  }

  static byte[] octets(byte[] content) {
    return value(OCTETS, content);
  }

  /** An object identifier, given as its encoded bytes. */
  static byte[] objectId(int... encoded) {
    byte[] bytes = new byte[encoded.length];
    for (int i = 0; i < encoded.length; i++) {
      bytes[i] = (byte) encoded[i];
    }
    return value(OBJECT_ID, bytes);
  }

  static byte[] text(String text) {
    return value(TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /** A time such as 20000101000000Z. */
  static byte[] time(String time) {
    return value(TIME, time.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] value(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else if (content.length <= 0xff) {
      out.write(0x81);
      out.write(content.length);
    } else {
      out.write(0x82);
      out.write(content.length >> Byte.SIZE);
      out.write(content.length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
