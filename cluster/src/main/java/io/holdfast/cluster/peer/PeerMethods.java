package io.holdfast.cluster.peer;

import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor.MethodType;

/** The calls that a node answers to others. */
final class PeerMethods {
  static final String SERVICE = "io.holdfast.Peer";

  private static final PeerFrameMarshaller MARSHALLER = new PeerFrameMarshaller();

  /** Many requests to the broker of the node, answered in any order. */
  static final MethodDescriptor<PeerFrame, PeerFrame> VERBS =
      method("Verbs", MethodType.BIDI_STREAMING);

  /** The state of the node. */
  static final MethodDescriptor<PeerFrame, PeerFrame> STATUS = method("Status", MethodType.UNARY);

  /** An operation on the members of the cluster, for the leader. */
  static final MethodDescriptor<PeerFrame, PeerFrame> CHANGE = method("Change", MethodType.UNARY);

  /** A copy of the data of the node. */
  static final MethodDescriptor<PeerFrame, PeerFrame> CHECKPOINT =
      method("Checkpoint", MethodType.SERVER_STREAMING);

  private PeerMethods() {}

  private static MethodDescriptor<PeerFrame, PeerFrame> method(String name, MethodType type) {
    return MethodDescriptor.newBuilder(MARSHALLER, MARSHALLER)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setType(type)
        .build();
  }
}
