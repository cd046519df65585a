package io.holdfast.server.net;

import io.holdfast.server.http.Answer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;

/** Makes responses of Netty from answers. */
final class Responses {
  private static final AsciiString CACHE_CONTROL = AsciiString.cached("Cache-Control");
  private static final AsciiString NO_STORE = AsciiString.cached("no-store");
  private static final AsciiString CONTENT_TYPE_OPTIONS =
      AsciiString.cached("X-Content-Type-Options");
  private static final AsciiString NO_SNIFF = AsciiString.cached("nosniff");
  private static final AsciiString CONNECTION = AsciiString.cached("Connection");
  private static final AsciiString CONTENT_TYPE = AsciiString.cached("Content-Type");
  private static final AsciiString CONTENT_LENGTH = AsciiString.cached("Content-Length");
  private static final AsciiString TRANSFER_ENCODING = AsciiString.cached("Transfer-Encoding");
  private static final AsciiString DATE = AsciiString.cached("Date");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private static final HttpHeadersFactory UNCHECKED =
      DefaultHttpHeadersFactory.headersFactory().withValidation(false);
  private static final HttpHeadersFactory CHECKED = DefaultHttpHeadersFactory.headersFactory();

  private record Second(long epochSecond, AsciiString text) {}

  private static volatile Second now = new Second(0, AsciiString.EMPTY_STRING);

  private Responses() {}

  /** An answer without its body, which follows; of one that is streamed the end is not known. */
  static HttpResponse head(Answer answer, boolean last) {
    HttpResponse response =
        new DefaultHttpResponse(HttpVersion.HTTP_1_1, status(answer), factory(answer));
    fill(response.headers(), answer, last, false);
    return response;
  }

  /**
   * A whole answer.
   *
   * @param bodiless whether the client asked only for the headers
   */
  static FullHttpResponse whole(Answer answer, boolean last, boolean bodiless) {
    ByteBuf body = bodiless ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(answer.body());
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, status(answer), body, factory(answer), UNCHECKED);
    fill(response.headers(), answer, last, bodiless);
    return response;
  }

  /** The answer after which a connection speaks another protocol. */
  static FullHttpResponse switching(String protocol) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.SWITCHING_PROTOCOLS,
            Unpooled.EMPTY_BUFFER,
            CHECKED,
            UNCHECKED);
    response.headers().add(CONNECTION, HttpHeaderValues.UPGRADE).add("Upgrade", protocol);
    return response;
  }

  private static HttpResponseStatus status(Answer answer) {
    return HttpResponseStatus.valueOf(answer.status());
  }

  /** Only headers that an action has made could have characters that do not belong there. */
  private static HttpHeadersFactory factory(Answer answer) {
    return answer.headers().isEmpty() ? UNCHECKED : CHECKED;
  }

  private static void fill(HttpHeaders headers, Answer answer, boolean last, boolean bodiless) {
    headers.add(DATE, date());
    headers.add(CACHE_CONTROL, NO_STORE);
    headers.add(CONTENT_TYPE_OPTIONS, NO_SNIFF);
    for (Map.Entry<String, String> header : answer.headers().entrySet()) {
      headers.set(header.getKey(), header.getValue());
    }
    if (last) {
      headers.add(CONNECTION, HttpHeaderValues.CLOSE);
    }
    if (answer.contentType() != null) {
      headers.add(CONTENT_TYPE, answer.contentType());
    }
    if (answer.streaming() != null) {
      if (!bodiless) {
        headers.add(TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
      }
    } else if (answer.status() != 204 && answer.status() != 304) {
      headers.add(CONTENT_LENGTH, Integer.toString(answer.body().length));
    }
  }

  /** The time, made into text once a second. */
  private static AsciiString date() {
    long millis = System.currentTimeMillis();
    Second second = now;
    if (second.epochSecond() != millis / 1000) {
      second =
          new Second(millis / 1000, new AsciiString(TIME.format(Instant.ofEpochMilli(millis))));
      now = second;
    }
    return second.text();
  }
}
