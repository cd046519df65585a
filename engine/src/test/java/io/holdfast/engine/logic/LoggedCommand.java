package io.holdfast.engine.logic;

import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Entry;
import io.holdfast.engine.command.EntryCodec;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.Stamp;
import java.util.List;

/** A command of a log in which each is an entry of its own, with its stamp. */
public record LoggedCommand(Stamp stamp, Command command) {
  /** The entry of a command; pushes give their bytes away when they are applied. */
  public static byte[] bytes(Stamp stamp, Command command) {
    Entry.Ordered ordered = new Entry.Ordered(stamp.nowMs(), stamp.random(), command);
    return EntryCodec.bytes(new Entry(FormatLevels.KNOWN.newest(), List.of(ordered)));
  }

  /** The command of an entry, to be applied with an index. */
  public static LoggedCommand read(byte[] entry, long index) {
    Entry.Ordered ordered = EntryCodec.read(entry).commands().getFirst();
    return new LoggedCommand(
        new Stamp(index, ordered.nowMs(), ordered.random()), ordered.command());
  }
}
