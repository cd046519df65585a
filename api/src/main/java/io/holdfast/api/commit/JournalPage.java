package io.holdfast.api.commit;

import java.util.List;

/**
 * Events of a journal, in order. Large ones make a page short: go on at the position behind its
 * last event until {@code length} is reached.
 *
 * @param from the position of the first one
 * @param length how many events the journal holds; 0 for one that does not exist
 */
public record JournalPage(String journal, long from, List<byte[]> events, long length) {
  public JournalPage {
    events = List.copyOf(events);
  }
}
