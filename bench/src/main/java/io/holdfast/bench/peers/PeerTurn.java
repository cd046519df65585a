package io.holdfast.bench.peers;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs work on a peer within a time limit; a peer that exceeds it is killed.
 *
 * <p>Thread: the one that runs the bench.
 */
record PeerTurn(PeerKind kind, Peer peer, long limitSeconds) {
  <T> T run(String label, Callable<T> work) throws InterruptedException {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = Thread.ofPlatform().daemon().name(kind.name() + " " + label).start(task);
    try {
      return task.get(limitSeconds, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      peer.process().kill();
      thread.interrupt();
      throw new IllegalStateException("it did not end within " + limitSeconds + " s", late);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure && peer.process().isAlive()) {
        throw failure;
      }
      throw peer.process().isAlive()
          ? new IllegalStateException(e.getCause())
          : peer.process().failure("ended during " + label);
    }
  }
}
