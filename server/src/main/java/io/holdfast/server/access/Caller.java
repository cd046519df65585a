package io.holdfast.server.access;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Result;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Pass;
import io.holdfast.server.http.RequestId;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whoever asked what is being answered, and what they may.
 *
 * <p>Invariant: while a route acts there is one, bound to the thread. Whoever needs one and finds
 * none stops: a request without a caller is a bug, and must not be answered.
 *
 * @param grant null for somebody unknown, whom only public routes let in
 * @param address where the request came from; null if that is not known
 * @param request the id of the request
 * @param good whether the caller would still be let in
 * @param granted whether the grant still holds, though a session with it may have ended
 */
public record Caller(
    @Nullable Grant grant,
    @Nullable SocketAddress address,
    RequestId request,
    BooleanSupplier good,
    BooleanSupplier granted)
    implements Pass {
  private static final ScopedValue<Caller> CURRENT = ScopedValue.newInstance();

  /** A caller without a session. */
  Caller(
      @Nullable Grant grant,
      @Nullable SocketAddress address,
      RequestId request,
      BooleanSupplier good) {
    this(grant, address, request, good, good);
  }

  /** A caller of a server without tokens: whoever can reach it may do everything. */
  public static Caller local(@Nullable SocketAddress address, RequestId request) {
    return new Caller(Grant.LOCAL, address, request, () -> true);
  }

  /**
   * The pass of the current caller for work that goes on after the call: it is good as long as the
   * token is, also if a session with it ends.
   */
  public static Pass lasting() {
    Caller caller = current();
    return new Caller(caller.grant, caller.address, caller.request, caller.granted);
  }

  /** The same request of somebody who has signed in with it. */
  Caller signedIn(Grant known) {
    return new Caller(known, address, request, () -> true);
  }

  /** The caller of the request that this thread answers. */
  static Caller current() {
    if (!CURRENT.isBound()) {
      throw new IllegalStateException("a request is being answered, but nobody knows whose");
    }
    return CURRENT.get();
  }

  /** What the caller may. */
  public static Grant currentGrant() {
    Grant grant = current().grant();
    if (grant == null) {
      throw new IllegalStateException("a public route asked for what is not public");
    }
    return grant;
  }

  /** By what one caller is told from others: the token, or the address if there are no tokens. */
  public static String currentName() {
    Caller caller = current();
    Grant grant = caller.grant();
    return grant == null || grant.equals(Grant.LOCAL) ? "from " + caller.from() : grant.id();
  }

  /** Whether the caller is known and has an access. */
  public static boolean mayNow(Access access) {
    Grant grant = current().grant();
    return grant != null && grant.may(access);
  }

  /**
   * Runs a blocking call of the current caller on a virtual thread.
   *
   * @param unused handles a result that came after it was cancelled
   */
  static <T> AsyncResult<T> async(Supplier<Result<T>> call, Consumer<Result<T>> unused) {
    Caller caller = current();
    return AsyncResult.onThread(
        Thread.ofVirtual().name("holdfast-call").factory(),
        () -> caller.as(call),
        late -> caller.run(() -> unused.accept(late)));
  }

  @Override
  public <T> T as(Supplier<T> act) {
    return ScopedValue.where(CURRENT, this).call(act::get);
  }

  @Override
  public String name() {
    return grant == null || grant.equals(Grant.LOCAL) ? "" : grant.id();
  }

  @Override
  public boolean isGood() {
    return good.getAsBoolean();
  }

  /** The address without the port, as logs have it. */
  String from() {
    return address instanceof InetSocketAddress inet && inet.getAddress() != null
        ? inet.getAddress().getHostAddress()
        : "unknown";
  }
}
