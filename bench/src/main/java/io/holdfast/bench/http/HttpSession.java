package io.holdfast.bench.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.CheckFailedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A caller of a server, over one connection. */
final class HttpSession implements Session {
  private static final JsonFactory JSON = new JsonFactory();
  private static final byte[] QUEUED = bytes("\"status\":\"queued\"");
  private static final byte[] SUCCESS = bytes("\"success\":true");
  private static final byte[] ITEMS = bytes("{\"items\":[");
  private static final byte[] ACKS = bytes("{\"acknowledgments\":[");
  private static final byte[] END = bytes("]}");

  /** How an ack names a message. */
  private record Name(String transactionId, String partitionId) {}

  private final Wire wire;

  HttpSession(Wire wire) {
    this.wire = wire;
  }

  @Override
  public void push(String queue, String partition, List<byte[]> payloads) {
    byte[] head =
        bytes("{\"queue\":\"" + queue + "\",\"partition\":\"" + partition + "\",\"payload\":");
    ByteArrayOutputStream body =
        new ByteArrayOutputStream(payloads.size() * (head.length + TextPayload.BYTES + 2) + 16);
    body.writeBytes(ITEMS);
    for (int i = 0; i < payloads.size(); i++) {
      if (i > 0) {
        body.write(',');
      }
      body.writeBytes(head);
      body.writeBytes(payloads.get(i));
      body.write('}');
    }
    body.writeBytes(END);
    Wire.Reply reply = ask("POST", "/api/v1/push", body.toByteArray(), 201);
    CheckFailedException.expectEqual(
        "messages queued", payloads.size(), count(QUEUED, reply.body()));
  }

  @Override
  public Got pop(String queue, int batch, long waitMs) {
    String path =
        "/api/v1/pop/queue/"
            + queue
            + "?batch="
            + batch
            + (waitMs > 0 ? "&wait=true&timeout=" + waitMs : "");
    Wire.Reply reply = ask("GET", path, Wire.NOTHING, 200, 204);
    return reply.status() == 204 ? Got.NOTHING : read(reply.body());
  }

  @Override
  public void ack(Got got) {
    ByteArrayOutputStream body = new ByteArrayOutputStream(got.messages().size() * 120 + 32);
    body.writeBytes(ACKS);
    byte[] lease = bytes("\",\"leaseId\":\"" + got.lease() + "\"}");
    for (int i = 0; i < got.messages().size(); i++) {
      Name name = (Name) got.messages().get(i).ack();
      body.writeBytes(
          bytes(
              (i > 0 ? ",{" : "{")
                  + "\"transactionId\":\""
                  + name.transactionId()
                  + "\",\"partitionId\":\""
                  + name.partitionId()));
      body.writeBytes(lease);
    }
    body.writeBytes(END);
    Wire.Reply reply = ask("POST", "/api/v1/ack/batch", body.toByteArray(), 200);
    CheckFailedException.expectEqual(
        "messages acked", got.messages().size(), count(SUCCESS, reply.body()));
  }

  private Wire.Reply ask(String method, String path, byte[] body, int... expected) {
    Wire.Reply reply;
    try {
      reply = wire.exchange(method, path, body);
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path + " was not answered", e);
    }
    for (int status : expected) {
      if (reply.status() == status) {
        return reply;
      }
    }
    throw new CheckFailedException(
        method + " " + path + " was answered " + reply.status() + " " + text(reply.body()));
  }

  private static Got read(byte[] body) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
      parser.nextToken();
      String lease = null;
      List<Held> messages = new ArrayList<>(100);
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String field = parser.currentName();
        parser.nextToken();
        if (field.equals("leaseId")) {
          lease = parser.getString();
        } else if (field.equals("messages")) {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            messages.add(message(parser));
          }
        } else {
          parser.skipChildren();
        }
      }
      return new Got(lease, messages);
    }
  }

  private static Held message(JsonParser parser) {
    String transactionId = null;
    String partitionId = null;
    String data = null;
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      switch (field) {
        case "transactionId" -> transactionId = parser.getString();
        case "partitionId" -> partitionId = parser.getString();
        case "data" -> data = parser.getString();
        default -> parser.skipChildren();
      }
    }
    return new Held(new Name(present(transactionId), present(partitionId)), present(data));
  }

  private static String present(@Nullable String value) {
    if (value == null) {
      throw new CheckFailedException("a message lacks its name, its partition or its data");
    }
    return value;
  }

  private static int count(byte[] what, byte[] in) {
    int count = 0;
    for (int i = 0; i <= in.length - what.length; i++) {
      int same = 0;
      while (same < what.length && in[i + same] == what[same]) {
        same++;
      }
      if (same == what.length) {
        count++;
        i += same - 1;
      }
    }
    return count;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static String text(byte[] body) {
    return new String(body, UTF_8);
  }

  @Override
  public void close() {
    wire.close();
  }
}
