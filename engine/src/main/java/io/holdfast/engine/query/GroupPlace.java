package io.holdfast.engine.query;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.engine.logic.Group;

/**
 * A place in the list of all groups, which goes by the name of the queue and then by the number of
 * the group: a group that is made or deleted meanwhile moves no other.
 */
public record GroupPlace(String queue, int number) {
  private static final GroupPlace BEFORE_ALL = new GroupPlace("", 0);

  /**
   * The place behind which a page begins.
   *
   * @throws InvalidArgumentException if the request names none that we could have told
   */
  public static GroupPlace of(GroupsRequest request) {
    String after = request.after();
    if (after == null) {
      return BEFORE_ALL;
    }
    int border = after.indexOf('-');
    try {
      return new GroupPlace(
          after.substring(border + 1), Integer.parseInt(after.substring(0, Math.max(0, border))));
    } catch (NumberFormatException notOurs) {
      throw new InvalidArgumentException(
          "after: expected the next of an earlier page, but got something else", notOurs);
    }
  }

  static GroupPlace of(Group group) {
    return new GroupPlace(group.queue.name, group.number);
  }

  String text() {
    return number + "-" + queue;
  }

  boolean isBefore(Group group) {
    int byQueue = queue.compareTo(group.queue.name);
    return byQueue < 0 || (byQueue == 0 && number < group.number);
  }
}
