package io.holdfast.server;

import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.server.Cluster.Change;
import io.holdfast.server.Cluster.Change.Kind;
import io.holdfast.server.Cluster.Node;
import io.holdfast.server.Cluster.Status;
import io.holdfast.server.access.Audit;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.List;
import java.util.Locale;

/** Shows and changes the members of a cluster. */
public final class ClusterRoutes {
  private static final String PATH = "/api/v1/cluster";
  private static final String TOPIC = "Cluster";

  private static final JsonType<Node> NODE =
      JsonObject.of(Node.class)
          .text("name", Node::name, "Its name.")
          .text("id", Node::id, "Its identity in the log, which a new data directory changes.")
          .text("address", Node::address, "Host and port for the other nodes.")
          .text("clientAddress", Node::clientAddress, "Its address for clients; may be empty.")
          .textOrNull("version", Node::version, "Its version; null if it has not answered.")
          .flag("self", Node::self, "Whether it is the node that answers.")
          .flag("leading", Node::leading, "Whether it leads.")
          .flag("reachable", Node::reachable, "Whether it has answered lately.")
          .whole("appliedIndex", Node::appliedIndex, "The last entry that it has applied.")
          .whole("lagEntries", Node::lagEntries, "Committed entries that it has not applied.")
          .whole("lagMs", Node::lagMs, "How much older its last change is than that of this node.")
          .whole("dataBytes", Node::dataBytes, "The disk space of its data.")
          .whole("logBytes", Node::logBytes, "The disk space of its log.")
          .whole("freeBytes", Node::freeBytes, "The free space on its disk.")
          .whole("answerAgeMs", Node::answerAgeMs, "How old its last answer is.")
          .type();

  private static final JsonType<Status> STATUS =
      JsonObject.of(Status.class)
          .textOrNull("leader", Status::leader, "The name of the leader; null if there is none.")
          .whole("term", Status::term, "Counts elections.")
          .whole("committedIndex", Status::committedIndex, "The last committed entry.")
          .whole("leaderChanges", Status::leaderChanges, "Leader changes that this node has seen.")
          .textOrNull("unready", Status::unready, "Why this node should get no calls; else null.")
          .list("nodes", NODE, Status::nodes, "The members, first the node that answers.")
          .type();

  private static final Field<String> NAME =
      Field.required("node", Json.TEXT, "The name of a node.");

  private static final Field<String> ADDRESS =
      Field.required("address", Json.TEXT, "Host and port of the new node.");

  private final Cluster cluster;

  public ClusterRoutes(Cluster cluster) {
    this.cluster = cluster;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                PATH,
                Access.READ,
                TOPIC,
                "The members of the cluster and their state",
                this::status)
            .forWholeBroker()
            .answers(200, "the state, as this node knows it", STATUS),
        change(
            Kind.ADD,
            "Add a node that has started with an empty directory",
            Json.object(in -> new Change(Kind.ADD, null, in.get(ADDRESS)), ADDRESS)),
        change(
            Kind.REMOVE,
            "Remove a member",
            Json.object(in -> new Change(Kind.REMOVE, in.get(NAME), null), NAME)),
        change(
            Kind.REPLACE,
            "Put a new node in the place of a member",
            Json.object(
                in -> new Change(Kind.REPLACE, in.get(NAME), in.get(ADDRESS)), NAME, ADDRESS)),
        change(
            Kind.TRANSFER,
            "Make another member the leader",
            Json.object(in -> new Change(Kind.TRANSFER, in.get(NAME), null), NAME)),
        Route.post(
                PATH + "/snapshot",
                Access.ADMIN,
                TOPIC,
                "Store what this node has applied, and delete the log that is not needed",
                call -> change(new Change(Kind.SNAPSHOT, null, null)))
            .audited("cluster-snapshot")
            .forWholeBroker()
            .answers(200, "it is stored", STATUS));
  }

  private Route change(Kind kind, String summary, JsonType<Change> body) {
    String word = kind.name().toLowerCase(Locale.ROOT);
    return Route.post(
            PATH + "/" + word, Access.ADMIN, TOPIC, summary, call -> change(call.json(body)))
        .audited("cluster-" + word)
        .forWholeBroker()
        .body(body)
        .answers(200, "it is done", STATUS);
  }

  private Answer change(Change change) {
    Audit.detail("node", change.node());
    Audit.detail("address", change.address());
    return Answer.ok(STATUS, Refusals.orThrow(cluster.change(change)));
  }

  private Answer status(Call call) {
    return Answer.ok(STATUS, Refusals.orThrow(cluster.status()));
  }
}
