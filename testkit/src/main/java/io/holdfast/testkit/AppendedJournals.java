package io.holdfast.testkit;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.Operation;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A broker that remembers which journals were appended to, so that a test can check that none of
 * them is left.
 *
 * <p>Thread: any.
 */
public final class AppendedJournals extends ForwardingBroker {
  private final Set<String> names = ConcurrentHashMap.newKeySet();

  public AppendedJournals(Broker target) {
    super(target);
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    for (Operation operation : request.operations()) {
      if (operation instanceof Operation.AppendJournal append) {
        names.add(append.journal());
      }
    }
    return super.commit(request);
  }

  /** The journals that hold something, of those whose names contain a text. */
  public List<String> left(String part) {
    return names.stream()
        .filter(name -> name.contains(part))
        .filter(name -> journal(new JournalRequest(name, 0, 1)).orThrow().length() > 0)
        .sorted()
        .toList();
  }
}
