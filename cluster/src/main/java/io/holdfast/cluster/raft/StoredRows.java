package io.holdfast.cluster.raft;

import io.holdfast.engine.command.LogPosition;
import java.util.List;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.statemachine.SnapshotInfo;

/**
 * The stored rows, which are the snapshot that Ratis asks for. It copies no files of it.
 *
 * @param position the last entry that the rows contain
 */
record StoredRows(LogPosition position) implements SnapshotInfo {
  @Override
  public TermIndex getTermIndex() {
    return TermIndex.valueOf(position.term(), position.index());
  }

  @Override
  public long getTerm() {
    return position.term();
  }

  @Override
  public long getIndex() {
    return position.index();
  }

  @Override
  public List<FileInfo> getFiles() {
    return List.of();
  }
}
