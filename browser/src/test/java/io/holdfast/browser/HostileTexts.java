package io.holdfast.browser;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Names and payloads of those who would like the page to do something, or to look otherwise. */
final class HostileTexts {
  /** What every script among them would do. */
  private static final String ACT = "window.hacked=1";

  private static final int NAME_CHARS_MAX = 255;

  private static final List<String> ELEMENTS =
      List.of(
          "img src=x", "svg", "body", "video src=x", "audio src=x", "iframe", "input autofocus");
  private static final List<String> HANDLERS =
      List.of("onerror", "onload", "onfocus", "onmouseover", "onanimationstart", "ontoggle");

  private static final List<String> SCRIPTS =
      List.of(
          "<script>ACT</script>",
          "<ScRiPt>ACT</sCrIpT>",
          "<script src=//127.0.0.1:9/x.js></script>",
          "<script type=module>ACT</script>",
          "<<script>ACT//<</script>",
          "<script/x>ACT</script>",
          "</script><script>ACT</script>",
          "--><script>ACT</script>",
          "]]><script>ACT</script>",
          "</title><script>ACT</script>",
          "</textarea><script>ACT</script>",
          "</style><script>ACT</script>",
          "</option></select><script>ACT</script>",
          "</td></tr></table><script>ACT</script>",
          "<svg><script>ACT</script></svg>",
          "<math><mtext><script>ACT</script></mtext></math>",
          "<noscript><p title=\"</noscript><script>ACT</script>\">",
          "<template><script>ACT</script></template>",
          "&lt;script&gt;ACT&lt;/script&gt;",
          "&#60;script&#62;ACT&#60;/script&#62;",
          "%3Cscript%3EACT%3C/script%3E",
          "\\u003cscript\\u003eACT\\u003c/script\\u003e",
          "\uff1cscript\uff1eACT\uff1c/script\uff1e",
          "<scr\u200bipt>ACT</scr\u200bipt>",
          "+ADw-script+AD4-ACT+ADw-/script+AD4-");

  private static final List<String> ATTRIBUTES =
      List.of(
          "\" onmouseover=\"ACT",
          "' onmouseover='ACT",
          "\" autofocus onfocus=\"ACT\" x=\"",
          "'><img src=x onerror=ACT>",
          "\"><img src=x onerror=ACT>",
          "` onerror=`ACT",
          "x onerror=ACT",
          "\"/><svg/onload=ACT>",
          "<details open ontoggle=ACT>",
          "<marquee onstart=ACT>",
          "<a href=javascript:ACT>x</a>",
          "<form action=javascript:ACT><button>x",
          "<object data=javascript:ACT>",
          "<embed src=javascript:ACT>",
          "<base href=//127.0.0.1:9/>",
          "<meta http-equiv=refresh content=0;url=javascript:ACT>",
          "<link rel=stylesheet href=//127.0.0.1:9/x.css>",
          "<style>*{display:none}</style>",
          "<style>@import '//127.0.0.1:9/x.css';</style>",
          "<div style=\"position:fixed;inset:0;background:red\">x</div>",
          "<div style=width:expression(ACT)>",
          "<iframe srcdoc=\"<script>parent.hacked=1</script>\">",
          "<img srcset=//127.0.0.1:9/x.png>",
          "<dialog open>Type your token</dialog>",
          "<hf-toasts></hf-toasts>",
          "<hf-system-tokens></hf-system-tokens>",
          "<math><mtext></form><form><mglyph><style></math><img src onerror=ACT>",
          "<svg><animate onbegin=ACT attributeName=x dur=1s>",
          "<svg><use href=data:image/svg+xml,<svg/onload=ACT>>",
          "<x contenteditable onblur=ACT>x");

  private static final List<String> TEMPLATES =
      List.of(
          "${ACT}",
          "`${ACT}`",
          "{{ACT}}",
          "{{constructor.constructor('ACT')()}}",
          "<%= ACT %>",
          "#{ACT}",
          "[[${ACT}]]",
          "<!--?lit$0123456789$-->",
          "lit$0123456789$",
          "<?lit$0123456789$>",
          "$lit$",
          "@click=${ACT}",
          ".innerHTML=<img src=x onerror=ACT>",
          "';ACT;//",
          "\";ACT;//",
          "\\';ACT;//",
          "*/ACT/*",
          "$&$1$`$'",
          "%s%n%x%p",
          "=cmd|'/C calc'!A0");

  private static final List<String> ADDRESSES =
      List.of(
          "javascript:ACT",
          "JaVaScRiPt:ACT",
          "javascript://%0aACT",
          "java%0ascript:ACT",
          "&#106;avascript:ACT",
          "data:text/html,<script>ACT</script>",
          "data:text/html;base64,PHNjcmlwdD4=",
          "vbscript:ACT",
          "//127.0.0.1:9/",
          "http://127.0.0.1:9/",
          "https:/127.0.0.1:9",
          "#/system",
          "?tab=options",
          "a?b=c#d",
          "a/b/c",
          "../../api/v1/queues",
          "..%2f..%2f",
          "%2e%2e",
          "...",
          "a\\b",
          "%",
          "%00",
          "%zz",
          "a&b=c;d",
          "a+b c");

  private static final List<String> KEYS =
      List.of(
          "__proto__",
          "constructor",
          "prototype",
          "toString",
          "hasOwnProperty",
          "__defineGetter__",
          "valueOf",
          "then",
          "length",
          "null",
          "undefined",
          "NaN",
          "true",
          "0",
          "-1",
          "1e309",
          "[object Object]",
          "__QUEUE_MODE__x",
          "\\u0000",
          "\\x00",
          "&#0;",
          "&nbsp;",
          "\\0",
          "\\",
          "\"",
          "'",
          "`");

  private static final List<String> UNICODE =
      List.of(
          "\u202egnp.exe",
          "\u202dabc\u202c",
          "\u2066abc\u2069",
          "\u2067abc\u2069",
          "a\u200bb",
          "a\u200cb\u200dc",
          "\ufeffname",
          "na\u00adme",
          "a\u2028b\u2029c",
          "\u00a0\u00a0",
          "\u3164",
          "\u2800",
          "Z\u0310\u0311\u0312\u0313\u0314\u0315\u0316\u0317\u0318\u0319\u031a\u031b",
          "e\u0301",
          "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67",
          "\ud83c\udff4\udb40\udc67\udb40\udc62\udb40\udc7f",
          "\u0430dm\u0456n",
          "\u0645\u0631\u062d\u0628\u0627 abc \u05d0\u05d1",
          "\u115f\u1160",
          "\ufff9a\ufffab\ufffb",
          "\ufdfd".repeat(20),
          "\udb40\udc01\udb40\udc41",
          "\uffff\ufffe",
          "\u1680\u180e\u205f\u3000",
          "I\u0307\u0131");

  private static final List<String> LONG =
      List.of(
          "W".repeat(NAME_CHARS_MAX),
          "i".repeat(NAME_CHARS_MAX),
          "wide ".repeat(50) + "x",
          "\ud83d\ude00".repeat(127),
          "a\u0300".repeat(127),
          "\u202e".repeat(NAME_CHARS_MAX),
          "<b>".repeat(85),
          "\u200b".repeat(NAME_CHARS_MAX),
          "-".repeat(NAME_CHARS_MAX));

  private HostileTexts() {}

  /** At least 200, none twice, each fit to be the name of anything. */
  static List<String> all() {
    Set<String> all = new LinkedHashSet<>();
    List.of(SCRIPTS, ATTRIBUTES, TEMPLATES, ADDRESSES, KEYS, UNICODE, LONG)
        .forEach(texts -> texts.forEach(text -> all.add(text.replace("ACT", ACT))));
    for (String element : ELEMENTS) {
      for (String handler : HANDLERS) {
        all.add("<" + element + " " + handler + "=" + ACT + ">");
      }
    }
    return List.copyOf(new ArrayList<>(all));
  }
}
