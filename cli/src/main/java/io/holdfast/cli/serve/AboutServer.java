package io.holdfast.cli.serve;

import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.status.About;
import io.holdfast.server.status.Disk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The disk and the settings that a server reports in its status. */
final class AboutServer {
  private AboutServer() {}

  static About of(EmbeddedBroker broker, EngineConfig engine, ServerConfig server) {
    Path directory = engine.directory();
    return new About(
        directory == null ? Disk.UNKNOWN : new DataDisk(broker, directory),
        settings(engine, server));
  }

  private static Map<String, Object> settings(EngineConfig engine, ServerConfig server) {
    Map<String, Object> settings = new TreeMap<>();
    settings.put("data", String.valueOf(engine.directory()));
    settings.put("durability", engine.durability().name().toLowerCase(Locale.ROOT));
    settings.put("payloadMaxBytes", (long) engine.payloadBytesMax());
    settings.put("requestMaxBytes", engine.requestBytesMax());
    settings.put("retainedMaxBytes", engine.retainedBytesMax());
    settings.put("mailboxMax", (long) engine.mailboxMax());
    settings.put("mailboxMaxBytes", engine.mailboxBytesMax());
    settings.put("tailCacheBytes", engine.tailCacheBytes());
    settings.put("queuesMax", (long) engine.queuesMax());
    settings.put("partitionsMax", engine.partitionsMax());
    settings.put("groupsMax", (long) engine.groupsMax());
    settings.put("parkedMax", (long) engine.parkedMax());
    settings.put("host", server.host());
    settings.put("port", (long) server.port());
    settings.put("bodyMaxBytes", (long) server.bodyBytesMax());
    settings.put("connectionsMax", (long) server.connectionsMax());
    settings.put("headTimeoutMs", server.patience().head().toMillis());
    settings.put("bodyTimeoutMs", server.patience().body().toMillis());
    settings.put("drainTimeoutMs", server.drainTimeout().toMillis());
    return settings;
  }

  private record DataDisk(EmbeddedBroker broker, Path directory) implements Disk {
    @Override
    public long usedBytes() {
      return broker.diskBytes();
    }

    @Override
    public long freeBytes() {
      try {
        return store().getUsableSpace();
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }

    @Override
    public long totalBytes() {
      try {
        return store().getTotalSpace();
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }

    private FileStore store() throws IOException {
      return Files.getFileStore(directory);
    }
  }
}
