package io.holdfast.server.http;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The id of a request, in its error and in the lines that the log has of it: the one that its
 * client sent in the header {@value #HEADER}, or one that is made when it is first needed.
 *
 * <p>Thread: any.
 */
public final class RequestId {
  public static final String HEADER = "X-Request-Id";
  private static final Pattern SENT = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private final @Nullable RequestHead head;
  private volatile @Nullable String text;

  private RequestId(@Nullable RequestHead head) {
    this.head = head;
  }

  static RequestId of(RequestHead head) {
    return new RequestId(head);
  }

  /** The id of a request that has no headers, or none that were understood. */
  public static RequestId made() {
    return new RequestId(null);
  }

  @Override
  public String toString() {
    String known = text;
    return known == null ? text() : known;
  }

  private synchronized String text() {
    String known = text;
    if (known == null) {
      String sent = head == null ? null : head.header(HEADER);
      known =
          sent != null && SENT.matcher(sent).matches()
              ? sent
              : HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
      text = known;
    }
    return known;
  }
}
