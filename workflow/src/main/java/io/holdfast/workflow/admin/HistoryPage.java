package io.holdfast.workflow.admin;

import java.util.List;

/**
 * Events of an execution, in order.
 *
 * @param length how many there are in all
 * @param next the number to go on from; -1 at the end
 */
public record HistoryPage(
    String id, long execution, List<HistoryEvent> events, long length, long next) {
  public HistoryPage {
    events = List.copyOf(events);
  }
}
