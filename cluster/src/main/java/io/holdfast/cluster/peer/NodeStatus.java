package io.holdfast.cluster.peer;

import io.holdfast.cluster.raft.Member;
import io.holdfast.cluster.raft.NodeState;
import io.holdfast.engine.Replica.AnswersMark;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The state of a node, as it answers others. Later versions append fields.
 *
 * @param state who it is, and which cluster it belongs to
 * @param version its version of Holdfast
 * @param oldestFormat the oldest format level that it can apply
 * @param newestFormat the newest format level that it can apply
 * @param leading whether its broker takes calls
 * @param term the term of its log
 * @param appliedIndex the last entry that its broker has applied
 * @param appliedMs the time of the last entry that was applied, by the clock of the leader; 0 if
 *     unknown
 * @param wallMs its clock
 * @param dataBytes the disk space of its data
 * @param logBytes the disk space of its log
 * @param freeBytes the free space on that disk
 * @param marks hashes of what commands were answered on this node, to compare it with others
 * @param started whether its log has started; a node that is added must have one
 */
public record NodeStatus(
    NodeState state,
    String version,
    int oldestFormat,
    int newestFormat,
    boolean leading,
    long term,
    long appliedIndex,
    long appliedMs,
    long wallMs,
    long dataBytes,
    long logBytes,
    long freeBytes,
    List<AnswersMark> marks,
    boolean started) {

  byte[] bytes() {
    ByteWriter out = new ByteWriter(256);
    write(out, state.self());
    UUID cluster = state.cluster();
    out.maybe(cluster == null ? null : cluster.toString());
    out.varint(state.members().size());
    state.members().forEach(member -> write(out, member));
    out.text(version).varint(oldestFormat).varint(newestFormat).flag(leading);
    out.varint(term).varint(appliedIndex).varint(appliedMs).varint(wallMs);
    out.varint(dataBytes).varint(logBytes).varint(freeBytes).varint(marks.size());
    marks.forEach(mark -> out.varint(mark.index()).long8(mark.hash()));
    return out.flag(started).done();
  }

  static NodeStatus read(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    Member self = member(in);
    String cluster = in.maybe();
    List<Member> members = new ArrayList<>();
    int count = in.elements();
    for (int i = 0; i < count; i++) {
      members.add(member(in));
    }
    return new NodeStatus(
        new NodeState(self, cluster == null ? null : UUID.fromString(cluster), members),
        in.text(),
        in.count(),
        in.count(),
        in.flag(),
        in.varint(),
        in.varint(),
        in.varint(),
        in.varint(),
        in.varint(),
        in.varint(),
        in.varint(),
        marks(in),
        in.atEnd() || in.flag());
  }

  private static List<AnswersMark> marks(ByteReader in) {
    List<AnswersMark> marks = new ArrayList<>();
    for (int left = in.elements(); left > 0; left--) {
      marks.add(new AnswersMark(in.varint(), in.long8()));
    }
    return marks;
  }

  static void write(ByteWriter out, Member member) {
    out.text(member.id()).text(member.address()).text(member.clientAddress());
  }

  static Member member(ByteReader in) {
    return new Member(in.text(), in.text(), in.text());
  }
}
