package io.holdfast.peers;

import io.holdfast.bench.ChildProcess;
import io.holdfast.bench.peers.Peer;
import io.holdfast.bench.peers.PeerKind;
import io.holdfast.bench.peers.PeerPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table in PostgreSQL with default settings, received from with SKIP LOCKED. */
public final class PostgresKind implements PeerKind {
  private static final String DEBIAN = "/usr/lib/postgresql/*/bin";

  /** The account of Debian's package; PostgreSQL refuses to run as root. */
  private static final String ACCOUNT = "postgres";

  private static final String ROOT = "root";
  private static final String SUPERUSER = "bench";

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public String durability() {
    return "fsync";
  }

  @Override
  public String use() {
    return "PostgreSQL with default settings; pgjdbc, a connection for each thread: INSERT (rewritten"
        + " batches), DELETE of rows that are selected FOR UPDATE SKIP LOCKED, the commit is the"
        + " ack; polls each millisecond while the table is empty";
  }

  @Override
  public @Nullable String missing() {
    if (PeerPrograms.find("postgres", DEBIAN) == null) {
      return "postgres is not installed (apt-get install postgresql)";
    }
    return isRoot() && PeerPrograms.find("setpriv") == null
        ? "it does not run as root, and there is no setpriv to run it as " + ACCOUNT
        : null;
  }

  private static boolean isRoot() {
    return ROOT.equals(System.getProperty("user.name"));
  }

  @Override
  public Peer start(Path directory) throws IOException, InterruptedException {
    Path data = directory.resolve("data");
    if (isRoot()) {
      giveAway(directory);
    }
    // The log is written by this process, which may be another user's.
    Path log = Files.createFile(directory.resolve("postgres.log"));
    String[] initialize = {"-D", data.toString(), "-U", SUPERUSER, "-A", "trust", "-E", "UTF8"};
    PeerPrograms.run(program(directory, "initdb", initialize), log);
    int port = PeerPrograms.freePort();
    String[] options = {
      "-D", data.toString(),
      "-p", Integer.toString(port),
      "-h", "127.0.0.1",
      "-k", directory.toString()
    };
    // INT is a fast shutdown: it does not wait for connections to end.
    ChildProcess server =
        ChildProcess.start(name(), program(directory, "postgres", options), log, "INT");
    String url =
        "jdbc:postgresql://127.0.0.1:"
            + port
            + "/postgres?user="
            + SUPERUSER
            + "&reWriteBatchedInserts=true";
    Connection admin = PeerPrograms.connect(server, () -> DriverManager.getConnection(url));
    return new PostgresPeer(server, url, admin);
  }

  private static void giveAway(Path directory) throws IOException {
    Files.setOwner(
        directory,
        directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(ACCOUNT));
  }

  private static ProcessBuilder program(Path directory, String name, String... options) {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(
          List.of("setpriv", "--reuid=" + ACCOUNT, "--regid=" + ACCOUNT, "--clear-groups"));
    }
    command.add(String.valueOf(PeerPrograms.find(name, DEBIAN)));
    command.addAll(List.of(options));
    return new ProcessBuilder(command).directory(directory.toFile());
  }
}
