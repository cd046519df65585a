package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Committed.Step;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.commit.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of journals and records: reading, waiting and scanning. */
abstract class StateContract extends ContractFixture {
  private static final int LARGE = 900_000;

  /** So many large ones are more than a page holds. */
  private static final int MANY = 8;

  StateContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldReadAJournalInOrder() {
    // given
    append("j", 0, "e0", "e1", "e2");
    append("j", 3, "e3");
    // when
    JournalPage all = journal("j", 0, 100);
    // then
    assertThat(all.journal()).isEqualTo("j");
    assertThat(all.from()).isZero();
    assertThat(all.length()).isEqualTo(4);
    assertThat(texts(all)).containsExactly("e0", "e1", "e2", "e3");
  }

  @Test
  void shouldReadAJournalByPage() {
    // given
    append("j", 0, "e0", "e1", "e2", "e3");
    // then
    JournalPage page = journal("j", 1, 2);
    assertThat(page.from()).isEqualTo(1);
    assertThat(page.length()).isEqualTo(4);
    assertThat(texts(page)).containsExactly("e1", "e2");
    assertThat(texts(journal("j", 4, 10))).isEmpty();
    assertThat(texts(journal("j", 99, 10))).isEmpty();
  }

  @Test
  void shouldReadAJournalThatIsNotThereAsEmpty() {
    // when
    JournalPage page = journal("no-such", 0, 10);
    // then
    assertThat(page.length()).isZero();
    assertThat(page.events()).isEmpty();
  }

  @Test
  void shouldTellJournalsApart() {
    // given
    append("j", 0, "a");
    append("j1", 0, "b");
    append("j/1", 0, "c");
    append("журнал", 0, "d");
    // then
    assertThat(texts(journal("j", 0, 10))).containsExactly("a");
    assertThat(texts(journal("j1", 0, 10))).containsExactly("b");
    assertThat(texts(journal("журнал", 0, 10))).containsExactly("d");
  }

  @Test
  void shouldDeleteAJournal() {
    // given
    append("j", 0, "e0", "e1");
    // when
    Committed committed = commit(new Operation.DeleteJournal("j"));
    // then
    assertThat(committed.steps()).containsExactly(new Step.JournalDeleted(true));
    assertThat(journal("j", 0, 10).length()).isZero();
    append("j", 0, "again");
    restart();
    assertThat(texts(journal("j", 0, 10))).containsExactly("again");
  }

  @Test
  void shouldKeepAJournalOverARestart() {
    // given
    append("j", 0, "e0", "", "e2");
    // when
    restart();
    // then
    assertThat(texts(journal("j", 0, 10))).containsExactly("e0", "", "e2");
  }

  @Test
  void shouldReadARecordThatIsNotThereAsVersionZero() {
    // when
    StoredRecord none = record("no-such");
    // then
    assertThat(none.exists()).isFalse();
    assertThat(none.version()).isZero();
    assertThat(none.value()).isEmpty();
  }

  @Test
  void shouldRaiseTheVersionWithEveryWrite() {
    // given
    long first = put("k", 0, "v1");
    long second = put("k", first, "v2");
    long third = put("k", Operation.ANY_VERSION, "v3");
    // then
    assertThat(first).isPositive();
    assertThat(second).isGreaterThan(first);
    assertThat(third).isGreaterThan(second);
    restart();
    StoredRecord stored = record("k");
    assertThat(stored.key()).isEqualTo("k");
    assertThat(stored.version()).isEqualTo(third);
    assertThat(text(stored.value())).isEqualTo("v3");
  }

  @Test
  void shouldDeleteARecord() {
    // given
    long version = put("k", 0, "v1");
    // when
    Committed committed = commit(new Operation.DeleteRecord("k", version));
    // then
    assertThat(committed.steps()).containsExactly(new Step.RecordDeleted(true));
    assertThat(record("k").exists()).isFalse();
    put("k", 0, "v2");
    assertThat(text(record("k").value())).isEqualTo("v2");
  }

  @Test
  void shouldAnswerAtOnceWhereTheRecordIsNewer() {
    // given
    long version = put("k", 0, "v1");
    // then
    StoredRecord stored = broker.record(new RecordRequest("k", version - 1, 600_000)).orThrow();
    assertThat(text(stored.value())).isEqualTo("v1");
  }

  @Test
  void shouldWaitForANewerRecord() {
    // given
    long version = put("k", 0, "v1");
    CompletableFuture<Result<StoredRecord>> waiting =
        waiting(() -> broker.record(new RecordRequest("k", version, 600_000)));
    // when
    put("other", 0, "x");
    put("k", version, "v2");
    // then
    assertThat(text(answerOf(waiting).orThrow().value())).isEqualTo("v2");
  }

  @Test
  void shouldWaitForARecordToBeMade() {
    // given
    CompletableFuture<Result<StoredRecord>> waiting =
        waiting(() -> broker.record(new RecordRequest("k", 0, 600_000)));
    // when
    put("k", 0, "v1");
    // then
    assertThat(text(answerOf(waiting).orThrow().value())).isEqualTo("v1");
  }

  @Test
  void shouldAnswerWithWhatThereIsWhenTheTimeIsUp() {
    // given
    long version = put("k", 0, "v1");
    CompletableFuture<Result<StoredRecord>> waiting =
        waiting(() -> broker.record(new RecordRequest("k", version, 5_000)));
    // when: the read may still be on its way, so time goes on until it is answered
    eventually(
        () -> {
          advanceSeconds(5);
          assertThat(waiting).isDone();
        });
    // then
    StoredRecord stored = answerOf(waiting).orThrow();
    assertThat(stored.version()).isEqualTo(version);
    assertThat(text(stored.value())).isEqualTo("v1");
  }

  @Test
  void shouldScanRecordsByPrefix() {
    // given
    for (String key : List.of("flow/2", "flow/1", "flow/3", "flower", "fl", "g")) {
      put(key, 0, key);
    }
    // then
    assertThat(keys(records("flow/", null, 100))).containsExactly("flow/1", "flow/2", "flow/3");
    assertThat(keys(records("", null, 100)))
        .containsExactly("fl", "flow/1", "flow/2", "flow/3", "flower", "g");
    assertThat(keys(records("x", null, 100))).isEmpty();
    assertThat(text(records("flow/", null, 1).items().getFirst().value())).isEqualTo("flow/1");
  }

  @Test
  void shouldScanRecordsByPage() {
    // given
    for (int i = 0; i < 5; i++) {
      put("k" + i, 0, "v");
    }
    // when
    Page<StoredRecord> first = records("k", null, 2);
    Page<StoredRecord> second = records("k", first.next(), 2);
    Page<StoredRecord> third = records("k", second.next(), 2);
    // then
    assertThat(keys(first)).containsExactly("k0", "k1");
    assertThat(keys(second)).containsExactly("k2", "k3");
    assertThat(keys(third)).containsExactly("k4");
    assertThat(third.next()).isNull();
  }

  @Test
  void shouldEndAPageOfLargeRecordsEarly() {
    // given
    String large = "x".repeat(LARGE);
    for (int i = 0; i < MANY; i++) {
      put("k" + i, 0, large);
    }
    // when
    List<String> found = new ArrayList<>();
    Page<StoredRecord> page = records("k", null, 100);
    assertThat(page.items().size()).isLessThan(MANY);
    while (page.next() != null) {
      found.addAll(keys(page));
      page = records("k", page.next(), 100);
    }
    found.addAll(keys(page));
    // then
    assertThat(found).containsExactly("k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7");
  }

  @Test
  void shouldEndAPageOfLargeEventsEarly() {
    // given
    for (int i = 0; i < MANY; i++) {
      append("j", i, i + "x".repeat(LARGE));
    }
    // when
    List<String> found = new ArrayList<>();
    JournalPage page = journal("j", 0, 100);
    assertThat(page.events().size()).isLessThan(MANY);
    assertThat(page.length()).isEqualTo(MANY);
    while (!page.events().isEmpty()) {
      texts(page).forEach(event -> found.add(event.substring(0, 1)));
      page = journal("j", found.size(), 100);
    }
    // then
    assertThat(found).containsExactly("0", "1", "2", "3", "4", "5", "6", "7");
  }

  private Committed commit(Operation... operations) {
    return broker.commit(CommitRequest.of(operations)).orThrow();
  }

  private void append(String journal, long position, String... events) {
    commit(
        new Operation.AppendJournal(
            journal, position, Stream.of(events).map(ContractFixture::bytes).toList()));
  }

  private JournalPage journal(String name, long from, int limit) {
    return broker.journal(new JournalRequest(name, from, limit)).orThrow();
  }

  private static List<String> texts(JournalPage page) {
    return page.events().stream().map(ContractFixture::text).toList();
  }

  private long put(String key, long version, String value) {
    return ((Step.RecordPut)
            commit(new Operation.PutRecord(key, version, bytes(value))).steps().getFirst())
        .version();
  }

  private StoredRecord record(String key) {
    return broker.record(RecordRequest.of(key)).orThrow();
  }

  private Page<StoredRecord> records(String prefix, @Nullable String after, int limit) {
    return broker.records(new RecordsRequest(prefix, after, limit)).orThrow();
  }

  private static List<String> keys(Page<StoredRecord> page) {
    return page.items().stream().map(StoredRecord::key).toList();
  }
}
