package io.holdfast.bench.http;

import io.holdfast.bench.Callers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What is measured: a server over HTTP, or the embedded broker beside it.
 *
 * @param sessions opens a session; of a server, a connection
 * @param overHttp whether callers wait in sockets: those are platform threads, which a blocked read
 *     costs least
 * @param warmUpMs how long to run before measuring
 */
public record Target(Supplier<Session> sessions, boolean overHttp, long warmUpMs, long measuredMs) {
  /** What one caller repeats, with a session of its own. */
  public interface Task {
    Callers.Work with(Session session, int caller);
  }

  /** Callers with sessions, which end together. */
  public record Load(Callers callers, List<Session> opened) {
    /** Waits until all callers have ended, and closes their sessions. */
    public void join() throws InterruptedException {
      try {
        callers.join();
      } finally {
        opened.forEach(Session::close);
      }
    }
  }

  public Load start(int count, Task task) {
    List<Session> opened = new ArrayList<>();
    Callers callers =
        Callers.start(
            overHttp ? Thread.ofPlatform().daemon() : Thread.ofVirtual(),
            count,
            caller -> {
              Session session = sessions.get();
              opened.add(session);
              return task.with(session, caller);
            });
    return new Load(callers, opened);
  }
}
