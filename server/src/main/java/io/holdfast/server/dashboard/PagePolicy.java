package io.holdfast.server.dashboard;

import io.holdfast.server.http.Digests;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the browser lets the page do: run our scripts and ask this server, nothing else.
 *
 * <p>The page's one inline script is its import map; it is allowed by its hash.
 */
final class PagePolicy {
  private static final Pattern IMPORT_MAP =
      Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

  private PagePolicy() {}

  static String of(byte[] page) {
    StringBuilder scripts = new StringBuilder("script-src 'self'");
    Matcher map = IMPORT_MAP.matcher(new String(page, StandardCharsets.UTF_8));
    if (map.find()) {
      byte[] digest = Digests.sha256(map.group(1));
      scripts.append(" 'sha256-").append(Base64.getEncoder().encodeToString(digest)).append('\'');
    }
    return "default-src 'none'; "
        + scripts
        + "; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self';"
        + " form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
  }
}
