package io.holdfast.server.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.MessagesFixture;
import io.holdfast.testkit.WaitLimits;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Commits over HTTP, and the journals and records they keep. */
class CommitRouteTest extends MessagesFixture {
  private Reply commit(String operations) {
    return post("/api/v1/commit", "{'operations':[" + operations + "]}");
  }

  private static String append(String journal, long position, String events) {
    return "{'type':'append','journal':'%s','expectedPosition':%d,'events':[%s]}"
        .formatted(journal, position, events);
  }

  private void expectRefused(Reply reply, int operation, String code) {
    assertThat(reply.expect(409).text("/code")).isEqualTo(code);
    assertThat(reply.text("/field")).isEqualTo("operations[" + operation + "]");
    assertThat(reply.text("/error")).isNotEmpty();
  }

  @Test
  void shouldDoEveryKindOfOperationAtOnce() {
    // given
    pushNamed("in", "a", "b", "c");
    pushNamed("other", "x", "y");
    Reply popped = pop("in", "?batch=2");
    Reply whole = pop("other", "?batch=2");
    commit(append("gone", 0, "1") + ",{'type':'putRecord','key':'old','value':1}").expect(200);
    // when
    Reply done =
        commit(
                "{'type':'ack',"
                    + handle(popped, 0)
                    + "},"
                    + "{'type':'settle','status':'release','leaseId':'"
                    + popped.text("/leaseId")
                    + "','partitionId':'"
                    + popped.text("/messages/1/partitionId")
                    + "','seq':"
                    + popped.number("/messages/1/seq")
                    + "},{'type':'settle','leaseId':'"
                    + whole.text("/leaseId")
                    + "'},{'type':'push','queue':'out','payload':{'p':1},'transactionId':'o1'},"
                    + "{'type':'cancel','queue':'in','transactionId':'c'},"
                    + append("j", 0, "{'e': 1},[2 ]")
                    + ",{'type':'deleteJournal','journal':'gone'},"
                    + "{'type':'putRecord','key':'r/1','value':{'v': 1.0},'expectedVersion':0},"
                    + "{'type':'deleteRecord','key':'old'}")
            .expect(200);
    // then
    assertThat(done.flag("/success")).isTrue();
    assertThat(done.json().at("/results")).hasSize(9);
    assertThat(done.text("/results/0/message")).isEqualTo("acknowledged");
    assertThat(done.text("/results/1/message")).isEqualTo("released");
    assertThat(done.number("/results/2/count")).isEqualTo(2);
    assertThat(done.text("/results/3/messageId")).isEqualTo(pop("out").text("/messages/0/id"));
    assertThat(done.flag("/results/4/found")).isTrue();
    assertThat(done.number("/results/5/position")).isEqualTo(2);
    assertThat(done.flag("/results/6/found")).isTrue();
    assertThat(done.number("/results/7/version")).isPositive();
    assertThat(done.flag("/results/8/found")).isTrue();
    assertThat(data(pop("in", "?batch=5"))).isEqualTo("b");
    expectNothing("other", "EMPTY");
    restart();
    assertThat(get("/api/v1/records/r%2F1").expect(200).http().body()).contains("{\"v\": 1.0}");
    assertThat(get("/api/v1/journals/j").expect(200).http().body())
        .contains("\"position\":0,\"data\":{\"e\": 1}}", "\"position\":1,\"data\":[2 ]}");
    get("/api/v1/records/old").expect(404);
    assertThat(get("/api/v1/journals/gone").expect(200).number("/length")).isZero();
  }

  @Test
  void shouldDoNothingIfOneIsRefused() {
    // given
    pushNamed("in", "a");
    Reply popped = pop("in");
    pushNamed("out", "o1");
    commit(append("j", 0, "1") + ",{'type':'putRecord','key':'r','value':1}").expect(200);
    String ack = "{'type':'ack'," + handle(popped, 0) + "},";
    // then
    expectRefused(commit(ack + append("j", 5, "2")), 1, "WRONG_POSITION");
    expectRefused(
        commit(ack + "{'type':'putRecord','key':'r','value':2,'expectedVersion':0}"),
        1,
        "WRONG_VERSION");
    expectRefused(
        commit(ack + "{'type':'deleteRecord','key':'r','expectedVersion':77}"), 1, "WRONG_VERSION");
    expectRefused(
        commit(ack + "{'type':'push','queue':'out','payload':1,'transactionId':'o1'}"),
        1,
        "DUPLICATE");
    expectRefused(
        commit(append("j", 1, "2") + "," + ack + ack + append("j", 2, "3")), 2, "ALREADY_SETTLED");
    assertThat(get("/api/v1/journals/j").number("/length")).isEqualTo(1);
    assertThat(ackFirst(popped, "").flag("/success")).isTrue();
    assertThat(commit(ack + append("j", 1, "2")).status()).isEqualTo(409);
    Reply ignored =
        commit(
                "{'type':'push','queue':'out','payload':1,'transactionId':'o1',"
                    + "'onDuplicate':'ignore'}")
            .expect(200);
    assertThat(ignored.flag("/results/0/duplicate")).isTrue();
  }

  @Test
  void shouldRefuseAStaleLease() {
    pushNamed("in", "a");
    Reply popped = pop("in");
    advanceSeconds(300);
    expectRefused(
        commit(append("j", 0, "1") + ",{'type':'ack'," + handle(popped, 0) + "}"),
        1,
        "STALE_LEASE");
    expectRefused(
        commit(append("j", 0, "1") + ",{'type':'ack','transactionId':'zz','partitionId':'1'}"),
        1,
        "NOT_FOUND");
    assertThat(get("/api/v1/journals/j").number("/length")).isZero();
  }

  @Test
  void shouldAnswerARepeatWhatTheFirstWasAnswered() {
    // given
    String body =
        "{'requestId':'r1','operations':["
            + append("j", 0, "1")
            + ",{'type':'push','queue':'out','payload':1}]}";
    Reply first = post("/api/v1/commit", body).expect(200);
    restart();
    // when
    Reply repeat = post("/api/v1/commit", body).expect(200);
    // then
    assertThat(repeat.json()).isEqualTo(first.json());
    assertThat(get("/api/v1/journals/j").number("/length")).isEqualTo(1);
    Reply other =
        post(
            "/api/v1/commit",
            "{'requestId':'r1','operations':[{'type':'deleteJournal','journal':'j'}]}");
    assertThat(other.expect(409).text("/code")).isEqualTo("REQUEST_ID_USED");
  }

  @Test
  void shouldCancelByEveryName() {
    // given
    Reply pushed = push("q", "1");
    pushNamed("q", "b", "c");
    // when
    Reply done =
        commit(
                "{'type':'cancel','messageId':'"
                    + pushed.text("/0/message_id")
                    + "'},{'type':'cancel','queue':'q','partition':'Default','transactionId':'b'},"
                    + "{'type':'cancel','partitionId':'"
                    + pushed.text("/0/partition_id")
                    + "','transactionId':'c'},{'type':'cancel','queue':'none','transactionId':'z'}")
            .expect(200);
    // then
    assertThat(done.flag("/results/0/found")).isTrue();
    assertThat(done.flag("/results/1/found")).isTrue();
    assertThat(done.flag("/results/2/found")).isTrue();
    assertThat(done.flag("/results/3/found")).isFalse();
    expectNothing("q", "EMPTY");
  }

  @Test
  void shouldPageThroughAJournal() {
    // given
    commit(append("a/b c", 0, "0,1,2,3,4")).expect(200);
    // when
    Reply page = get("/api/v1/journals/a%2Fb%20c?from=3&limit=1").expect(200);
    // then
    assertThat(page.text("/journal")).isEqualTo("a/b c");
    assertThat(page.number("/length")).isEqualTo(5);
    assertThat(page.json().at("/events")).hasSize(1);
    assertThat(page.number("/events/0/position")).isEqualTo(3);
    assertThat(page.number("/events/0/data")).isEqualTo(3);
  }

  @Test
  void shouldKeepBytesThatAreNotJson() {
    // given
    commit(
            "{'type':'append','journal':'j','expectedPosition':0,'eventsBase64':['AAE=','']},"
                + "{'type':'putRecord','key':'r','valueBase64':'/w=='}")
        .expect(200);
    // then
    Reply journal = get("/api/v1/journals/j").expect(200);
    assertThat(journal.text("/events/0/dataBase64")).isEqualTo("AAE=");
    assertThat(journal.json().at("/events/0/data").isNull()).isTrue();
    assertThat(journal.text("/events/1/dataBase64")).isEmpty();
    assertThat(get("/api/v1/records/r").text("/valueBase64")).isEqualTo("/w==");
  }

  @Test
  void shouldWaitForANewerVersion() throws Exception {
    // given
    long version = commit("{'type':'putRecord','key':'r','value':1}").number("/results/0/version");
    assertThat(get("/api/v1/records/r?newerThan=0").expect(200).number("/value")).isEqualTo(1);
    CompletableFuture<Reply> waiting =
        CompletableFuture.supplyAsync(
            () -> get("/api/v1/records/r?newerThan=" + version + "&timeout=60000"),
            Thread::startVirtualThread);
    // when
    Reply put = commit("{'type':'putRecord','key':'r','value':2}");
    Reply newer = waiting.get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS).expect(200);
    // then
    assertThat(newer.number("/value")).isEqualTo(2);
    assertThat(newer.number("/version")).isEqualTo(put.number("/results/0/version"));
    CompletableFuture<Reply> late =
        CompletableFuture.supplyAsync(
            () -> get("/api/v1/records/r?newerThan=" + newer.number("/version") + "&timeout=5000"),
            Thread::startVirtualThread);
    Awaitility.await()
        .until(
            () -> {
              advanceSeconds(1);
              return late.isDone();
            });
    assertThat(late.get().expect(200).number("/version")).isEqualTo(newer.number("/version"));
  }

  @Test
  void shouldListRecordsByPrefix() {
    // given
    for (String key : new String[] {"a/1", "a/2", "a/3", "b/1"}) {
      commit("{'type':'putRecord','key':'" + key + "','value':'" + key + "'}").expect(200);
    }
    // when
    Reply first = get("/api/v1/records?prefix=a/&limit=2").expect(200);
    Reply rest =
        get("/api/v1/records?prefix=a/&limit=2&after=" + first.text("/next").replace("/", "%2F"))
            .expect(200);
    // then
    assertThat(first.text("/records/0/key")).isEqualTo("a/1");
    assertThat(first.text("/records/1/value")).isEqualTo("a/2");
    assertThat(rest.json().at("/records")).hasSize(1);
    assertThat(rest.text("/records/0/key")).isEqualTo("a/3");
    assertThat(rest.json().at("/next").isNull()).isTrue();
    assertThat(get("/api/v1/records").expect(200).json().at("/records")).hasSize(4);
  }

  @Test
  void shouldRefuseWhatItDoesNotKnow() {
    String[][] cases = {
      {"{}", "operations"},
      {"{'operations':[]}", "operations"},
      {"{'operations':[{'type':'pop'}]}", "operations[0].type"},
      {"{'operations':[{}]}", "operations[0].type"},
      {"{'operations':['ack']}", "operations[0]"},
      {
        "{'operations':[{'type':'append','events':[1],'expectedPosition':0}]}",
        "operations[0].journal"
      },
      {
        "{'operations':[{'type':'append','journal':'j','events':[1]}]}",
        "operations[0].expectedPosition"
      },
      {
        "{'operations':[{'type':'append','journal':'j','expectedPosition':0}]}",
        "operations[0].events"
      },
      {
        "{'operations':[{'type':'append','journal':'j','expectedPosition':0,'events':[]}]}",
        "operations[0].events"
      },
      {
        "{'operations':[{'type':'append','journal':'j','expectedPosition':0,'events':[1],'eventsBase64':[]}]}",
        "operations[0].eventsBase64"
      },
      {
        "{'operations':[{'type':'append','journal':'j','expectedPosition':0,'eventsBase64':['*']}]}",
        "operations[0].eventsBase64[0]"
      },
      {
        "{'operations':[{'type':'append','journal':'','expectedPosition':0,'events':[1]}]}",
        "operations[0].journal"
      },
      {
        "{'operations':[{'type':'append','journal':'j','expectedPosition':-1,'events':[1]}]}",
        "operations[0].expectedPosition"
      },
      {"{'operations':[{'type':'deleteJournal'}]}", "operations[0].journal"},
      {"{'operations':[{'type':'putRecord','value':1}]}", "operations[0].key"},
      {"{'operations':[{'type':'putRecord','key':'k'}]}", "operations[0].value"},
      {
        "{'operations':[{'type':'putRecord','key':'k','value':1,'valueBase64':''}]}",
        "operations[0].valueBase64"
      },
      {
        "{'operations':[{'type':'putRecord','key':'k','value':1,'expectedVersion':-2}]}",
        "operations[0].expectedVersion"
      },
      {"{'operations':[{'type':'deleteRecord','key':5}]}", "operations[0].key"},
      {"{'operations':[{'type':'cancel'}]}", "operations[0].messageId"},
      {"{'operations':[{'type':'cancel','messageId':'7'}]}", "operations[0].messageId"},
      {"{'operations':[{'type':'cancel','messageId':'7','queue':'q'}]}", "operations[0].messageId"},
      {"{'operations':[{'type':'cancel','queue':'q'}]}", "operations[0].messageId"},
      {"{'operations':[{'type':'ack'}]}", "operations[0].transactionId"},
      {"{'operations':[{'type':'ack','seq':1,'partitionId':'1'}]}", "operations[0].seq"},
      {"{'operations':[{'type':'push','queue':'q'}]}", "operations[0].payload"},
      {
        "{'operations':[{'type':'push','queue':'q','payload':1,'onDuplicate':'x'}]}",
        "operations[0].onDuplicate"
      },
    };
    for (String[] one : cases) {
      Reply reply = post("/api/v1/commit", one[0]);
      assertThat(reply.expect(400).text("/field")).as(one[0]).isEqualTo(one[1]);
    }
    assertThat(get("/api/v1/journals/j?from=-1").expect(400).text("/field")).isEqualTo("from");
    assertThat(get("/api/v1/records?limit=0").expect(400).text("/field")).isEqualTo("limit");
    get("/api/v1/records/" + "k".repeat(1025)).expect(400);
  }
}
