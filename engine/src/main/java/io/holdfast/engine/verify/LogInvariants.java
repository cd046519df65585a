package io.holdfast.engine.verify;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ReplyCodec;
import io.holdfast.engine.logic.JournalRow;
import io.holdfast.engine.logic.LeaseRow;
import io.holdfast.engine.logic.SlotRow;
import io.holdfast.engine.logic.TimedRows;
import io.holdfast.engine.store.Tables;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** What must hold of journals, records, ended leases, remembered requests and sessions. */
final class LogInvariants {
  private final Inspection inspection;
  private final Inventory inventory;

  /** How many events each journal holds. */
  private final Map<String, Long> lengths = new HashMap<>();

  LogInvariants(Inspection inspection, Inventory inventory) {
    this.inspection = inspection;
    this.inventory = inventory;
  }

  void check() {
    inspection.each(Tables.ENDED, this::checkEnded);
    inspection.each(Tables.REQUESTS, this::checkRequest);
    inspection.each(Tables.SESSIONS, this::checkSession);
    inspection.each(Tables.SLOTS, this::checkSlot);
    inspection.each(Tables.JOURNALS, this::checkEvents);
    inspection.each(Tables.LENGTHS, this::checkLength);
    lengths.forEach((name, count) -> inspection.same("journal " + name, "its length", 0, count));
    inspection.each(
        Tables.RECORDS,
        (key, row) ->
            inspection.require(
                new ByteReader(row).varint() > 0, Tables.RECORDS, key, "it has no version"));
  }

  private void checkIndex(byte[] key, long index) {
    inspection.require(index <= inventory.appliedIndex, key[0], key, "its index is yet to come");
  }

  private void checkSession(byte[] key, byte[] row) {
    ByteReader in = TimedRows.content(row);
    checkIndex(key, in.varint());
  }

  private void checkSlot(byte[] key, byte[] row) {
    SlotRow slot = SlotRow.read(row);
    checkIndex(key, slot.usedIndex());
    ReplyCodec.read(slot.reply());
    inspection.require(slot.reply().atEnd(), Tables.SLOTS, key, "it is too long");
    inspection.require(
        inspection.view.get(Tables.session(Tables.long8(key, 1))) != null,
        Tables.SLOTS,
        key,
        "there is no session of its id");
  }

  private void checkEnded(byte[] key, byte[] row) {
    ByteReader in = TimedRows.content(row);
    for (LeaseRow.Part part : LeaseRow.readParts(in)) {
      inspection.require(part.items().open() == 0, Tables.ENDED, key, "it still holds messages");
    }
    inspection.require(in.at() == row.length, Tables.ENDED, key, "it is too long");
  }

  private void checkRequest(byte[] key, byte[] row) {
    ByteReader in = TimedRows.content(row);
    if (key.length == Tables.TIMED_ID_AT) {
      in.varint();
    } else {
      ReplyCodec.read(in);
    }
    inspection.require(in.at() == row.length, Tables.REQUESTS, key, "it is too long");
  }

  private void checkEvents(byte[] key, byte[] row) {
    String name = Tables.journalName(key);
    long position = Tables.journalPosition(key);
    long count = JournalRow.events(row).size();
    long before = lengths.merge(name, count, Long::sum) - count;
    inspection.require(
        position == before, Tables.JOURNALS, key, "position " + position + " follows " + before);
  }

  private void checkLength(byte[] key, byte[] row) {
    String name = new String(key, 1, key.length - 1, StandardCharsets.UTF_8);
    Long count = lengths.remove(name);
    inspection.same(
        "journal " + name, "its length", new ByteReader(row).varint(), count == null ? 0 : count);
  }
}
