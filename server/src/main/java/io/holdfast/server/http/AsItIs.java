package io.holdfast.server.http;

import io.helidon.http.encoding.ContentDecoder;
import io.helidon.http.encoding.ContentEncoder;
import io.helidon.http.encoding.ContentEncoding;
import java.util.Set;

/**
 * The one encoding of bodies there is: none. Without it the web server would refuse also those that
 * say so.
 */
public final class AsItIs implements ContentEncoding {
  static final String NAME = "identity";

  @Override
  public Set<String> ids() {
    return Set.of(NAME);
  }

  @Override
  public boolean supportsEncoding() {
    return false;
  }

  @Override
  public boolean supportsDecoding() {
    return true;
  }

  @Override
  public ContentDecoder decoder() {
    return ContentDecoder.NO_OP;
  }

  @Override
  public ContentEncoder encoder() {
    return ContentEncoder.NO_OP;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String type() {
    return NAME;
  }
}
