package io.holdfast.client.acks;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Says that acks were not applied: which, and why. */
public final class AckException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The message names at most this many bookmarks; {@link #notApplied} has them all. */
  private static final int NAMED_MAX = 5;

  private final transient List<AckResult> results;

  AckException(List<AckResult> results) {
    super(
        text(results),
        results.stream().map(AckResult::failure).filter(Objects::nonNull).findFirst().orElse(null));
    this.results = List.copyOf(results);
  }

  static AckResult orThrow(AckResult result) {
    if (!result.allApplied()) {
      throw new AckException(List.of(result));
    }
    return result;
  }

  static List<AckResult> orThrow(List<AckResult> results) {
    if (!results.stream().allMatch(AckResult::allApplied)) {
      throw new AckException(results);
    }
    return results;
  }

  /** What became of each request, also of those that succeeded. */
  public List<AckResult> results() {
    return results;
  }

  /** The verdicts of those that were not applied, over all requests. */
  public List<AckVerdict> notApplied() {
    return results.stream().flatMap(result -> result.notApplied().stream()).toList();
  }

  private static String text(List<AckResult> results) {
    long all = results.stream().mapToLong(result -> result.verdicts().size()).sum();
    long failed = results.stream().mapToLong(result -> result.notApplied().size()).sum();
    String named =
        results.stream()
            .flatMap(
                result ->
                    result.notApplied().stream()
                        .map(
                            verdict ->
                                result.topic()
                                    + " "
                                    + verdict.bookmark()
                                    + ": "
                                    + verdict.reason()))
            .limit(NAMED_MAX)
            .collect(Collectors.joining("; "));
    return failed + " of " + all + " acks were not applied: " + named;
  }
}
