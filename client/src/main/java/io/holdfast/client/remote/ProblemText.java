package io.holdfast.client.remote;

/** Reads what a server says of a problem: the text of {@code error} in a JSON object. */
final class ProblemText {
  private static final String KEY = "\"error\":\"";
  private static final int SHOWN_MAX = 500;

  private ProblemText() {}

  static String of(int status, String body) {
    int begin = body.indexOf(KEY);
    return begin < 0 ? status + ", without a word why" : unescaped(body, begin + KEY.length());
  }

  private static String unescaped(String json, int begin) {
    StringBuilder text = new StringBuilder();
    for (int i = begin; i < json.length() && text.length() < SHOWN_MAX; i++) {
      char c = json.charAt(i);
      if (c == '"') {
        break;
      }
      if (c == '\\' && i + 1 < json.length()) {
        char escaped = json.charAt(++i);
        if (escaped == 'u') {
          // Control characters and the like; not worth showing.
          i += 4;
          text.append('?');
        } else {
          text.append(escaped == 'n' || escaped == 't' || escaped == 'r' ? ' ' : escaped);
        }
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }
}
