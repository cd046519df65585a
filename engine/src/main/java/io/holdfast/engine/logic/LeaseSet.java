package io.holdfast.engine.logic;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The leases that hold messages of a subscription, oldest first. Most subscriptions have none and
 * share {@link #NONE}, or one, so that is all they take room for; those that have thousands still
 * find each at once.
 */
public final class LeaseSet implements Iterable<Lease> {
  /** No leases; never added to. */
  static final LeaseSet NONE = new LeaseSet();

  private @Nullable Lease only;
  private @Nullable LinkedHashSet<Lease> many;

  public boolean isEmpty() {
    return only == null && (many == null || many.isEmpty());
  }

  boolean contains(@Nullable Lease lease) {
    return lease != null && (only == lease || (many != null && many.contains(lease)));
  }

  void add(Lease lease) {
    if (this == NONE) {
      throw new IllegalStateException("a lease was added to the shared empty set");
    }
    if (many != null) {
      many.add(lease);
    } else if (only == null) {
      only = lease;
    } else if (only != lease) {
      many = new LinkedHashSet<>();
      many.add(only);
      many.add(lease);
      only = null;
    }
  }

  /** Answers whether it was there. */
  boolean remove(Lease lease) {
    if (only == lease) {
      only = null;
      return true;
    }
    boolean there = many != null && many.remove(lease);
    if (many != null && many.isEmpty()) {
      many = null;
    }
    return there;
  }

  /** A copy to go over while leases end. */
  List<Lease> copy() {
    List<Lease> copy = new ArrayList<>();
    forEach(copy::add);
    return copy;
  }

  /** When the last of them ends; 0 if there is none. */
  public long untilMs() {
    long latest = 0;
    for (Lease lease : this) {
      latest = Math.max(latest, lease.untilMs);
    }
    return latest;
  }

  @Override
  public Iterator<Lease> iterator() {
    if (many != null) {
      return many.iterator();
    }
    return only == null ? Collections.emptyIterator() : Collections.singletonList(only).iterator();
  }
}
