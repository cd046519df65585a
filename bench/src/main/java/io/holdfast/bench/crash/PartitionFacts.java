package io.holdfast.bench.crash;

import java.util.List;
import java.util.Set;

/**
 * What a broker turned out to hold in one worker's partition, journal and record.
 *
 * @param leaseOpen how many open messages the lease holds that was live at the kill; 0 if it is
 *     over or there was none
 * @param delivered all that could be popped, in that order
 * @param farFound messages delayed for long that are still there
 * @param deadFound dead letters that are there
 * @param forgotten named messages whose repeated push was not called a duplicate
 * @param journal the events of the journal
 * @param record the value of the record; empty if there is none
 * @param troubles what kept these facts from being found
 */
record PartitionFacts(
    int leaseOpen,
    List<Delivered> delivered,
    Set<String> farFound,
    Set<String> deadFound,
    Set<String> forgotten,
    List<String> journal,
    String record,
    List<String> troubles) {
  /**
   * A message that was popped.
   *
   * @param atMs the wall clock after the pop
   */
  record Delivered(String name, int failures, long seq, long atMs) {}
}
