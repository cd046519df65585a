package io.holdfast.api.wire;

import io.holdfast.api.InvalidArgumentException;

/**
 * The compact form of a public record, or of a sealed interface of public records.
 *
 * <p>A record may get further components at its end, and a sealed interface further records at its
 * end: what was written before can still be read.
 *
 * <p>Thread: any.
 *
 * @param <T> the record or interface
 */
public final class Form<T> {
  private final Codec<T> codec;

  private Form(Codec<T> codec) {
    this.codec = codec;
  }

  /**
   * The form of a type.
   *
   * @throws IllegalStateException if it, or something it holds, has none
   */
  public static <T> Form<T> of(Class<T> type) {
    return new Form<>(new Codecs().of(type));
  }

  public byte[] write(T value) {
    WireOut out = new WireOut();
    codec.write(out, value);
    return out.done();
  }

  /**
   * The value that was written, without fields that only a newer version knows.
   *
   * @throws WireException if the bytes are not one
   */
  public T read(byte[] bytes) {
    return read(new WireIn(bytes));
  }

  /**
   * The value that was written.
   *
   * @throws WireException if the bytes are not one, or have fields that this version does not know
   */
  public T readExactly(byte[] bytes) {
    return read(WireIn.exact(bytes));
  }

  private T read(WireIn in) {
    T value;
    try {
      value = codec.read(in);
    } catch (WireException unreadable) {
      throw unreadable;
    } catch (InvalidArgumentException refused) {
      throw new WireException("the body: " + refused.getMessage());
    }
    if (value == null || in.hasMore()) {
      throw new WireException("the body: expected one " + codec.name() + ", and nothing else");
    }
    return value;
  }
}
