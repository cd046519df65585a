package io.holdfast.bench.dashboard;

import io.holdfast.bench.CheckFailedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Pages that somebody looks at: each hears the live numbers, and asks again every few seconds.
 *
 * <p>Thread: two for each page.
 */
final class OpenPages {
  private static final long EVERY_NANOS = 5_000_000_000L;
  private static final int OK = 200;

  private final HttpClient client;
  private final String root;
  private final List<Thread> threads = new ArrayList<>();
  private final List<InputStream> streams = new ArrayList<>();

  OpenPages(HttpClient client, String root, List<PageCalls> pages)
      throws IOException, InterruptedException {
    this.client = client;
    this.root = root;
    for (PageCalls page : pages) {
      InputStream live = client.send(request(root + "live"), BodyHandlers.ofInputStream()).body();
      streams.add(live);
      threads.add(Thread.ofVirtual().start(() -> listen(live)));
      threads.add(Thread.ofVirtual().start(() -> repeat(page)));
    }
  }

  private static HttpRequest request(String address) {
    return HttpRequest.newBuilder(URI.create(address)).build();
  }

  /** Asks, and answers how long that took, in nanoseconds. */
  static long ask(HttpClient client, String address) throws InterruptedException {
    long begun = System.nanoTime();
    try {
      HttpResponse<byte[]> answer = client.send(request(address), BodyHandlers.ofByteArray());
      if (answer.statusCode() != OK) {
        throw new CheckFailedException(address + " was answered with " + answer.statusCode());
      }
    } catch (IOException lost) {
      throw new UncheckedIOException(address, lost);
    }
    return System.nanoTime() - begun;
  }

  private static void listen(InputStream live) {
    byte[] buffer = new byte[1 << 13];
    try {
      while (live.read(buffer) >= 0) {
        // Only that somebody reads counts.
      }
    } catch (IOException closed) {
      // The page was left.
    }
  }

  private void repeat(PageCalls page) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        for (String path : page.paths()) {
          ask(client, root + path);
        }
        LockSupport.parkNanos(EVERY_NANOS);
      }
    } catch (InterruptedException left) {
      Thread.currentThread().interrupt();
    }
  }

  /** Leaves them all. */
  void leave() throws IOException, InterruptedException {
    threads.forEach(Thread::interrupt);
    for (InputStream stream : streams) {
      stream.close();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
