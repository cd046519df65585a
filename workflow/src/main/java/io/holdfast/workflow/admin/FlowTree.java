package io.holdfast.workflow.admin;

import io.holdfast.workflow.FlowInfo;
import java.util.List;

/**
 * A flow with those that it started and waited for, and theirs.
 *
 * @param cut whether some of its children are left out, because there are too many or they are too
 *     deep
 */
public record FlowTree(FlowInfo flow, List<FlowTree> children, boolean cut) {
  public FlowTree {
    children = List.copyOf(children);
  }

  /** How many flows it shows. */
  public int size() {
    return 1 + children.stream().mapToInt(FlowTree::size).sum();
  }
}
