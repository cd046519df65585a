package io.holdfast.server;

import io.holdfast.api.TimeSource;
import io.holdfast.server.access.BadTokens;
import io.holdfast.server.access.Caller;
import io.holdfast.server.access.TokenDoor;
import io.holdfast.server.access.Tokens;
import io.holdfast.server.access.Watch;
import io.holdfast.server.http.Door;
import io.holdfast.server.http.Guard;
import io.holdfast.server.http.Parked;
import io.holdfast.server.tls.TlsFiles;
import io.holdfast.server.tls.TlsKeeper;
import java.net.InetAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** How callers come in: the door with its tokens, TLS, and the watch over their files. */
final class Entrance implements AutoCloseable {
  final @Nullable Tokens tokens;
  final BadTokens badTokens;
  final @Nullable TlsKeeper tls;
  final Parked parked = new Parked();
  private @Nullable Watch watch;

  /**
   * Reads the files.
   *
   * @throws io.holdfast.server.access.TokensException if the tokens cannot be read
   * @throws IllegalArgumentException if the certificate or its key cannot be used
   */
  Entrance(ServerConfig config, TimeSource time) {
    Path file = config.tokens();
    TlsFiles files = config.tls();
    tokens = file == null ? null : Tokens.open(file, time);
    badTokens = new BadTokens(time);
    tls = files == null ? null : new TlsKeeper(files, config.patience().head());
  }

  /** Begins to look at the files. */
  void open() {
    if (tokens == null && tls == null) {
      return;
    }
    Watch begun = new Watch();
    watch = begun;
    if (tokens != null) {
      tokens.onChange(parked::dismissStrangers);
      begun.every(tokens::look);
    }
    if (tls != null) {
      begun.every(tls::look);
    }
  }

  Door door() {
    return tokens == null
        ? (route, shown, address) -> Caller.local(address, shown.request())
        : new TokenDoor(tokens, badTokens);
  }

  Guard guard(InetAddress address, String host) {
    if (tokens != null) {
      return new Guard(Guard.Names.ANY, host);
    }
    return new Guard(
        address.isLoopbackAddress() ? Guard.Names.LOOPBACK : Guard.Names.PRIVATE, host);
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
