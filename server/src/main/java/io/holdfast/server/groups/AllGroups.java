package io.holdfast.server.groups;

import io.holdfast.api.Broker;
import io.holdfast.api.Page;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.server.http.Refusals;
import java.util.function.Predicate;

/** The groups of a broker by queue, page by page: as many as the broker may have. */
public final class AllGroups {
  private final Broker broker;

  public AllGroups(Broker broker) {
    this.broker = broker;
  }

  /** Visits the groups that are asked for, until the visitor says no. */
  public void visit(GroupsRequest request, Predicate<GroupInfo> visitor) {
    GroupsRequest page = request;
    while (true) {
      Page<GroupInfo> found = Refusals.orThrow(broker.groups(page));
      for (GroupInfo group : found.items()) {
        if (!visitor.test(group)) {
          return;
        }
      }
      String next = found.next();
      if (next == null) {
        return;
      }
      page = page.after(next);
    }
  }
}
