package io.holdfast.server.access;

import io.holdfast.server.http.Door;
import io.holdfast.server.http.Pass;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shown;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The door of a server without tokens: whoever can reach it may do everything. */
public final class OpenDoor implements Door {
  @Override
  public Pass admit(Route route, Shown shown, @Nullable SocketAddress address) {
    return new Caller(Grant.LOCAL, address, shown.request(), () -> true);
  }
}
