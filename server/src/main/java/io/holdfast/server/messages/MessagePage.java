package io.holdfast.server.messages;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.json.objects.MessageJson;
import io.holdfast.json.objects.MessageRow;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of messages being gathered from one queue after another. */
final class MessagePage {
  /** Most pages of the broker that it reads. */
  private static final int PAGES_MAX = 50;

  final List<MessageRow> rows = new ArrayList<>();

  /** Where the next page begins; null if this is the last. */
  @Nullable Cursor next;

  private final Broker broker;
  private final int most;
  private long skip;
  private long bytes;
  private int pagesLeft = PAGES_MAX;

  MessagePage(Broker broker, int most, long skip) {
    this.broker = broker;
    this.most = most;
    this.skip = skip;
  }

  /** Gathers from queues in the order of their names, from a cursor on. */
  void gather(List<QueueInfo> queues, BrowseRequest wanted, @Nullable Cursor from) {
    for (QueueInfo queue : queues) {
      int order = from == null ? 1 : queue.name().compareTo(from.queue());
      if (order >= 0 && next == null) {
        gather(queue, wanted, order == 0 && from != null ? from.after() : null);
      }
    }
  }

  private void gather(QueueInfo queue, BrowseRequest wanted, @Nullable String from) {
    String after = from;
    do {
      if (isFull()) {
        next = new Cursor(queue.name(), after);
        return;
      }
      int count = (int) Math.min(Limits.PAGE_MAX, skip > 0 ? skip : most - rows.size());
      Page<BrowsedMessage> page =
          Refusals.orThrow(
              broker.browse(
                  new BrowseRequest(
                      queue.name(),
                      wanted.group(),
                      wanted.partition(),
                      wanted.states(),
                      wanted.transactionId(),
                      wanted.fromMs(),
                      wanted.toMs(),
                      after,
                      count)));
      pagesLeft--;
      add(page.items(), queue);
      after = page.next();
    } while (after != null);
  }

  private void add(List<BrowsedMessage> items, QueueInfo queue) {
    if (skip > 0) {
      skip -= items.size();
      return;
    }
    for (BrowsedMessage found : items) {
      rows.add(new MessageRow(found, queue));
      bytes += found.message().payload().length;
    }
  }

  private boolean isFull() {
    if (skip > 0 && pagesLeft == 0) {
      throw Problem.field("offset", "expected fewer messages to look through; use after");
    }
    return rows.size() == most || bytes >= MessageJson.PAYLOAD_BYTES_MAX || pagesLeft == 0;
  }
}
