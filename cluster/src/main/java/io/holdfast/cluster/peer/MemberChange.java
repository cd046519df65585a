package io.holdfast.cluster.peer;

import io.holdfast.cluster.raft.Member;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;

/** An operation on the cluster that only the leader can carry out. */
public sealed interface MemberChange {
  /** Adds a node that has started with an empty directory. */
  record Add(Member member) implements MemberChange {}

  /** Removes a member. */
  record Remove(String name) implements MemberChange {}

  /** Puts a new node in the place of a member. */
  record Replace(String name, Member by) implements MemberChange {}

  /** Makes another member the leader. */
  record Transfer(String name) implements MemberChange {}

  /** The bytes of this operation. */
  default byte[] bytes() {
    ByteWriter out = new ByteWriter(128);
    switch (this) {
      case Add add -> NodeStatus.write(out.byte1(Kind.ADD), add.member());
      case Remove remove -> out.byte1(Kind.REMOVE).text(remove.name());
      case Replace replace ->
          NodeStatus.write(out.byte1(Kind.REPLACE).text(replace.name()), replace.by());
      case Transfer transfer -> out.byte1(Kind.TRANSFER).text(transfer.name());
    }
    return out.done();
  }

  /**
   * Reads an operation.
   *
   * @throws IllegalArgumentException if the bytes are none
   */
  static MemberChange read(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    int kind = in.byte1();
    return switch (kind) {
      case Kind.ADD -> new Add(NodeStatus.member(in));
      case Kind.REMOVE -> new Remove(in.text());
      case Kind.REPLACE -> new Replace(in.text(), NodeStatus.member(in));
      case Kind.TRANSFER -> new Transfer(in.text());
      default -> throw new IllegalArgumentException("unknown operation " + kind);
    };
  }

  /** The numbers of the operations in their bytes. */
  final class Kind {
    private static final int ADD = 1;
    private static final int REMOVE = 2;
    private static final int REPLACE = 3;
    private static final int TRANSFER = 4;

    private Kind() {}
  }
}
