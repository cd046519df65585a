package io.holdfast.server.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/** The context of a connection whose bytes are read, and perhaps written, in another way. */
class ForwardingContext implements ConnectionContext {
  private final ConnectionContext context;
  private final DataReader reader;
  private final DataWriter writer;

  ForwardingContext(ConnectionContext context, DataReader reader, DataWriter writer) {
    this.context = context;
    this.reader = reader;
    this.writer = writer;
  }

  @Override
  public DataReader dataReader() {
    return reader;
  }

  @Override
  public DataWriter dataWriter() {
    return writer;
  }

  @Override
  public ListenerContext listenerContext() {
    return context.listenerContext();
  }

  @Override
  public ExecutorService executor() {
    return context.executor();
  }

  @Override
  public Router router() {
    return context.router();
  }

  @Override
  public Optional<ProxyProtocolData> proxyProtocolData() {
    return context.proxyProtocolData();
  }

  @Override
  public HelidonSocket serverSocket() {
    return context.serverSocket();
  }

  @Override
  public PeerInfo remotePeer() {
    return context.remotePeer();
  }

  @Override
  public PeerInfo localPeer() {
    return context.localPeer();
  }

  @Override
  public boolean isSecure() {
    return context.isSecure();
  }

  @Override
  public String socketId() {
    return context.socketId();
  }

  @Override
  public String childSocketId() {
    return context.childSocketId();
  }
}
