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
record Target(Supplier<Session> sessions, boolean overHttp, long warmUpMs, long measuredMs) {
  /** What one caller repeats, with a session of its own. */
  interface Task {
    Callers.Work with(Session session, int caller);
  }

  /** Callers with sessions, which end together. */
  record Load(Callers callers, List<Session> opened) {
    /** Waits until all callers have ended, and closes their sessions. */
    void join() throws InterruptedException {
      callers.join();
      opened.forEach(Session::close);
    }
  }

  Load start(int count, Task task) {
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
