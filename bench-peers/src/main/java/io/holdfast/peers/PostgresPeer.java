package io.holdfast.peers;

import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.ChildProcess;
import io.holdfast.bench.http.Session;
import io.holdfast.bench.peers.Peer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A running PostgreSQL: each queue is a table. */
record PostgresPeer(ChildProcess process, String url, Connection admin) implements Peer {
  private static final long POLL_NANOS = 1_000_000;

  @Override
  public Session session() {
    try {
      Connection connection = DriverManager.getConnection(url);
      connection.setAutoCommit(false);
      return new Caller(connection);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public void createQueue(String queue) {
    execute("CREATE TABLE " + table(queue) + " (id bigserial PRIMARY KEY, body bytea NOT NULL)");
  }

  @Override
  public void deleteQueue(String queue) {
    execute("DROP TABLE " + table(queue));
  }

  private void execute(String sql) {
    try (Statement statement = admin.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public long unacked(String queue) {
    try (Statement statement = admin.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table(queue))) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public void close() {
    try (process) {
      admin.close();
    } catch (SQLException ended) {
      // The server is stopped in any case.
    }
  }

  private static String table(String queue) {
    return '"' + queue + '"';
  }

  private static IllegalStateException failure(SQLException e) {
    return new IllegalStateException("PostgreSQL: " + e.getMessage(), e);
  }

  /** A connection of its own, as from a pool that is large enough. */
  private static final class Caller implements Session {
    private final Connection connection;

    Caller(Connection connection) {
      this.connection = connection;
    }

    @Override
    public void push(String queue, String partition, List<byte[]> payloads) {
      String sql = "INSERT INTO " + table(queue) + " (body) VALUES (?)";
      // Prepared by the server once it was used a few times; pgjdbc keeps it for the connection.
      try (PreparedStatement insert = connection.prepareStatement(sql)) {
        for (byte[] payload : payloads) {
          insert.setBytes(1, payload);
          insert.addBatch();
        }
        CheckFailedException.expectEqual(
            "rows inserted", payloads.size(), insert.executeBatch().length);
        connection.commit();
      } catch (SQLException e) {
        throw failure(e);
      }
    }

    @Override
    public Got pop(String queue, int batch, long waitMs) {
      long deadline = System.nanoTime() + waitMs * 1_000_000;
      try {
        List<Held> held = take(queue, batch);
        while (held.isEmpty() && System.nanoTime() - deadline < 0) {
          LockSupport.parkNanos(POLL_NANOS);
          held = take(queue, batch);
        }
        return new Got(queue, held);
      } catch (SQLException e) {
        throw failure(e);
      }
    }

    private List<Held> take(String queue, int batch) throws SQLException {
      String table = table(queue);
      String sql =
          "WITH taken AS (DELETE FROM "
              + table
              + " WHERE id IN (SELECT id FROM "
              + table
              + " ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING id, body)"
              + " SELECT body FROM taken ORDER BY id";
      List<Held> held = new ArrayList<>(batch);
      try (PreparedStatement delete = connection.prepareStatement(sql)) {
        delete.setInt(1, batch);
        try (ResultSet rows = delete.executeQuery()) {
          while (rows.next()) {
            held.add(Held.of("", rows.getBytes(1)));
          }
        }
      }
      if (held.isEmpty()) {
        connection.rollback();
      }
      return held;
    }

    @Override
    public void ack(Got got) {
      try {
        connection.commit();
      } catch (SQLException e) {
        throw failure(e);
      }
    }

    @Override
    public void close() {
      try {
        connection.close();
      } catch (SQLException e) {
        throw failure(e);
      }
    }
  }
}
