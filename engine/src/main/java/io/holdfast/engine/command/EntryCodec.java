package io.holdfast.engine.command;

import io.holdfast.engine.command.Entry.Ordered;
import java.util.ArrayList;
import java.util.List;

/**
 * Entries as bytes, for a log that is applied elsewhere or later.
 *
 * <pre>
 *   level 1, count, and of each command: time, random 8, length, command
 * </pre>
 *
 * Count and length are varints. The time is the difference to the command before, or to 0, as a
 * zigzag varint. {@link CommandCodec} has the form of a command.
 *
 * <p>Encode an entry before it is applied: applying a push hands its bytes over to the store.
 */
public final class EntryCodec {
  /** Most bytes in front of a command, and of all commands. */
  private static final int HEAD_BYTES_MAX = 10 + 8 + 5;

  private EntryCodec() {}

  public static byte[] bytes(Entry entry) {
    List<byte[]> commands = new ArrayList<>(entry.commands().size());
    int size = HEAD_BYTES_MAX;
    for (Ordered ordered : entry.commands()) {
      byte[] command = CommandCodec.bytes(ordered.command());
      commands.add(command);
      size += HEAD_BYTES_MAX + command.length;
    }
    ByteWriter out = new ByteWriter(size).byte1(entry.level()).varint(commands.size());
    long before = 0;
    for (int i = 0; i < commands.size(); i++) {
      Ordered ordered = entry.commands().get(i);
      long delta = ordered.nowMs() - before;
      out.varint((delta << 1) ^ (delta >> 63)).long8(ordered.random()).bytes(commands.get(i));
      before = ordered.nowMs();
    }
    return out.done();
  }

  /**
   * Reads an entry.
   *
   * @throws UnknownFormatException if this version does not know its level, or the kind of one of
   *     its commands
   * @throws MalformedEntryException if the bytes are not an entry
   */
  public static Entry read(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    if (in.atEnd()) {
      throw new MalformedEntryException("it is empty", null);
    }
    int level = in.byte1() & 0xff;
    FormatLevels.KNOWN.check("An entry", level);
    List<Ordered> commands = new ArrayList<>();
    try {
      int count = in.elements();
      long nowMs = 0;
      while (commands.size() < count) {
        long delta = in.varint();
        nowMs += (delta >>> 1) ^ -(delta & 1);
        long random = in.long8();
        commands.add(new Ordered(nowMs, random, CommandCodec.read(in.part(in.elements()))));
      }
      if (!in.atEnd()) {
        throw new IllegalArgumentException("expected its end at byte " + in.at());
      }
    } catch (IllegalArgumentException wrong) {
      throw new MalformedEntryException(
          "command " + commands.size() + ": " + wrong.getMessage(), wrong);
    }
    return new Entry(level, commands);
  }
}
