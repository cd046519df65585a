package io.holdfast.cluster.raft;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a node, in the file {@code node} of its directory.
 *
 * @param id the name of the node and the number that it drew at its first start
 * @param cluster the cluster that it belongs to; null until it has found it
 * @param founders the members that the cluster begins with; empty on a node that was added later
 * @param started whether the log was made
 */
record NodeFile(String id, @Nullable UUID cluster, List<Founder> founders, boolean started) {
  private static final String NAME = "node";
  private static final String FORMAT = "1";
  private static final String FOUNDER = "founder.";

  /** A member that a cluster begins with. */
  record Founder(String id, String address, String clientAddress) {
    static Founder of(Member member) {
      return new Founder(member.id(), member.address(), member.clientAddress());
    }

    Member member() {
      return new Member(id, address, clientAddress);
    }
  }

  NodeFile {
    founders = List.copyOf(founders);
  }

  /** The node file of a directory; null if there is none. */
  static @Nullable NodeFile read(Path directory) {
    Path file = directory.resolve(NAME);
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException none) {
      return null;
    } catch (IOException unreadable) {
      throw new ClusterException("The node file " + file + " cannot be read.", unreadable);
    }
    try {
      return parse(text);
    } catch (IOException | IllegalArgumentException damaged) {
      throw new ClusterException("The node file " + file + " is damaged.", damaged);
    }
  }

  private static NodeFile parse(String text) throws IOException {
    Properties values = new Properties();
    values.load(new StringReader(text));
    if (!FORMAT.equals(values.getProperty("format"))) {
      throw new IOException("format " + values.getProperty("format"));
    }
    String id = values.getProperty("id");
    if (id == null || id.indexOf(Member.SEPARATOR) < 1) {
      throw new IOException("no id");
    }
    String cluster = values.getProperty("cluster");
    List<Founder> founders = new ArrayList<>();
    String founder;
    while ((founder = values.getProperty(FOUNDER + founders.size())) != null) {
      String[] parts = founder.split(" ", 3);
      if (parts.length < 2) {
        throw new IOException("founder " + founder);
      }
      founders.add(new Founder(parts[0], parts[1], parts.length < 3 ? "" : parts[2]));
    }
    return new NodeFile(
        id,
        cluster == null ? null : UUID.fromString(cluster),
        founders,
        Boolean.parseBoolean(values.getProperty("started")));
  }

  /** Writes the file; it survives a power cut. */
  void write(Path directory) {
    StringBuilder text = new StringBuilder();
    text.append("# The identity of this node. Do not copy it to another node.\n");
    text.append("format=").append(FORMAT).append('\n');
    text.append("id=").append(id).append('\n');
    if (cluster != null) {
      text.append("cluster=").append(cluster).append('\n');
    }
    for (int i = 0; i < founders.size(); i++) {
      Founder founder = founders.get(i);
      text.append(FOUNDER).append(i).append('=').append(founder.id()).append(' ');
      text.append(founder.address()).append(' ').append(founder.clientAddress()).append('\n');
    }
    text.append("started=").append(started).append('\n');
    try {
      DurableFiles.createDirectories(directory);
      DurableFiles.write(directory.resolve(NAME), text.toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException unwritable) {
      throw new ClusterException(
          "The node file in " + directory + " cannot be written.", unwritable);
    }
  }

  NodeFile withCluster(UUID found, List<Member> members) {
    return new NodeFile(id, found, members.stream().map(Founder::of).toList(), false);
  }

  NodeFile withLog() {
    return new NodeFile(id, cluster, founders, true);
  }

  /** The name in an id. */
  String name() {
    return new Member(id, "", "").name();
  }

  /** The members that the cluster begins with. */
  List<Member> members() {
    return founders.stream().map(Founder::member).toList();
  }
}
