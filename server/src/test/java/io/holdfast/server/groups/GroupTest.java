package io.holdfast.server.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Limits;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.server.queen.QueenSteps;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Consumer groups as the routes show, move and forget them. */
class GroupTest extends QueenSteps {
  private static final String GROUPS = "/api/v1/consumer-groups";

  private Reply seek(String body) {
    return post(GROUPS + "/g/queues/orders/seek", body);
  }

  @Test
  void shouldListGroupsAsTheSeedShows() {
    // given
    for (String name : List.of("a", "b", "c")) {
      push("orders", "p1", name);
    }
    pop("orders", "consumerGroup=workers").expect(200);
    pop("orders", "consumerGroup=audit&subscriptionMode=new").expect(204);
    push("mails", "p1", "m");
    pop("mails", "consumerGroup=workers&autoAck=true").expect(200);
    advanceSeconds(120);
    // when
    Reply reply = get(GROUPS).expect(200);
    // then
    assertThat(texts(reply, "/groups", "/name")).containsExactly("workers", "workers", "audit");
    assertThat(texts(reply, "/groups", "/topics/0")).containsExactly("mails", "orders", "orders");
    assertThat(reply.text("/groups/1/queueName")).isEqualTo("orders");
    assertThat(reply.number("/groups/1/members")).isEqualTo(1);
    assertThat(reply.number("/groups/1/totalLag")).isEqualTo(3);
    assertThat(reply.number("/groups/1/maxTimeLag")).isEqualTo(120);
    assertThat(reply.text("/groups/1/state")).isEqualTo("Stable");
    assertThat(reply.text("/groups/1/subscriptionMode")).isEqualTo("all");
    assertThat(reply.text("/groups/2/subscriptionMode")).isEqualTo("new");
    assertThat(reply.number("/groups/2/totalLag")).isZero();
    assertThat(texts(get(GROUPS + "?queue=mails"), "/groups", "/queueName"))
        .containsExactly("mails");
    get(GROUPS + "?queue=no-such").expect(404);
  }

  @Test
  void shouldListGroupsByPage() {
    // given
    for (String queue : List.of("q1", "q2", "q3")) {
      pop(queue, "consumerGroup=g1").expect(204);
      pop(queue, "consumerGroup=g2").expect(204);
    }
    // when
    Reply first = get(GROUPS + "?limit=3").expect(200);
    Reply second = get(GROUPS + "?limit=3&after=" + first.text("/next")).expect(200);
    // then
    assertThat(texts(first, "/groups", "/queueName")).containsExactly("q1", "q1", "q2");
    assertThat(texts(second, "/groups", "/queueName")).containsExactly("q2", "q3", "q3");
    assertThat(second.json().at("/next").isNull()).isTrue();
    assertThat(get(GROUPS + "?after=elsewhere").expect(400).text("/field")).isEqualTo("after");
  }

  @Test
  void shouldListGroupsOfOneQueueOrOneNameByPage() {
    // given
    for (String queue : List.of("q1", "q2")) {
      pop(queue, "consumerGroup=g1").expect(204);
      pop(queue, "consumerGroup=g2").expect(204);
    }
    // when
    Reply ofQueue = get(GROUPS + "?queue=q2&limit=1").expect(200);
    Reply ofName = get(GROUPS + "?group=g2&limit=1").expect(200);
    // then
    assertThat(texts(ofQueue, "/groups", "/name")).containsExactly("g1");
    Reply rest = get(GROUPS + "?queue=q2&after=" + ofQueue.text("/next")).expect(200);
    assertThat(texts(rest, "/groups", "/name")).containsExactly("g2");
    assertThat(rest.json().at("/next").isNull()).isTrue();
    assertThat(texts(ofName, "/groups", "/queueName")).containsExactly("q1");
    Reply other = get(GROUPS + "?group=g2&after=" + ofName.text("/next")).expect(200);
    assertThat(texts(other, "/groups", "/queueName")).containsExactly("q2");
  }

  @Test
  void shouldTellStableFromLaggingFromDead() {
    // given
    push("orders", "p1", "a");
    push("orders", "p1", "b");
    Reply popped = pop("orders", "consumerGroup=g&leaseSeconds=600").expect(200);
    // then
    assertThat(get(GROUPS).text("/groups/0/state")).isEqualTo("Stable");
    // when: the oldest has waited for more than five minutes, and somebody works at it
    advanceSeconds(301);
    // then
    assertThat(get(GROUPS).text("/groups/0/state")).isEqualTo("Lagging");
    // when: nobody does any more
    settle(popped, 0, "");
    // then
    assertThat(get(GROUPS).text("/groups/0/state")).isEqualTo("Dead");
    // when
    pop("orders", "consumerGroup=g&autoAck=true").expect(200);
    // then
    assertThat(get(GROUPS).text("/groups/0/state")).isEqualTo("Stable");
  }

  @Test
  void shouldListWhoLags() {
    // given
    push("orders", "p1", "a");
    pop("orders", "consumerGroup=slow").expect(200);
    pop("orders", "consumerGroup=fast&autoAck=true").expect(200);
    advanceSeconds(7200);
    // when
    Reply lagging = get(GROUPS + "/lagging").expect(200);
    // then
    assertThat(lagging.json().size()).isEqualTo(1);
    assertThat(lagging.text("/0/consumer_group")).isEqualTo("slow");
    assertThat(lagging.text("/0/queue_name")).isEqualTo("orders");
    assertThat(lagging.number("/0/offset_lag")).isEqualTo(1);
    assertThat(lagging.number("/0/time_lag_seconds")).isEqualTo(7200);
    assertThat(lagging.json().at("/0/lag_hours").asDouble()).isEqualTo(2.0);
    assertThat(lagging.text("/0/oldest_unconsumed_at")).isEqualTo("2026-01-01T00:00:00.000Z");
    assertThat(get(GROUPS + "/lagging?minLagSeconds=7201").expect(200).json().size()).isZero();
  }

  @Test
  void shouldShowAGroupByQueueAndPartition() {
    // given
    push("orders", "p1", "a");
    push("orders", "p2", "b");
    push("orders", "p2", "c");
    pop("orders", "consumerGroup=g").expect(200);
    // when
    Reply shown = get(GROUPS + "/g").expect(200);
    // then
    assertThat(texts(shown, "/orders/partitions", "/partition")).containsExactly("p1", "p2");
    assertThat(texts(shown, "/orders/partitions", "/offsetLag")).containsExactly("1", "2");
    assertThat(texts(shown, "/orders/partitions", "/leaseActive")).containsExactly("true", "false");
    assertThat(shown.number("/orders/totalLag")).isEqualTo(3);
    assertThat(get(GROUPS + "/nobody").expect(200).http().body()).isEqualTo("{}");
  }

  @Test
  void shouldForgetAGroup() {
    // given
    push("q1", "p1", "a");
    push("q2", "p1", "b");
    push("q2", "p2", "c");
    pop("q1", "consumerGroup=g").expect(200);
    pop("q2", "consumerGroup=g&autoAck=true").expect(200);
    // when
    Reply one = delete(GROUPS + "/g/queues/q1").expect(200);
    Reply rest = delete(GROUPS + "/g?deleteMetadata=true").expect(200);
    Reply again = delete(GROUPS + "/g").expect(200);
    // then
    assertThat(one.number("/deletedPartitions")).isEqualTo(1);
    assertThat(one.text("/queueName")).isEqualTo("q1");
    assertThat(rest.number("/deletedPartitions")).isEqualTo(2);
    assertThat(again.number("/deletedPartitions")).isZero();
    assertThat(again.flag("/success")).isTrue();
    assertThat(delete(GROUPS + "/g/queues/no-such").expect(200).number("/deletedPartitions"))
        .isZero();
    assertThat(delete(GROUPS + "/g?deleteMetadata=false").expect(400).text("/field"))
        .isEqualTo("deleteMetadata");
    restart();
    assertThat(get(GROUPS).json().at("/groups").size()).isZero();
    assertThat(names(pop("q2", "consumerGroup=g").expect(200))).containsExactly("b");
  }

  @Test
  void shouldSeekToTheEndTheBeginningAndATime() {
    // given
    push("orders", "p1", "a");
    advanceSeconds(60);
    push("orders", "p1", "b");
    Reply held = pop("orders", "consumerGroup=g").expect(200);
    // when
    Reply end = seek("{'toEnd':true}").expect(200);
    // then
    assertThat(end.flag("/seekToEnd")).isTrue();
    assertThat(end.number("/partitionsUpdated")).isEqualTo(1);
    assertThat(end.number("/totalLag")).isZero();
    assertThat(settle(held, 0, "").text("/message")).isEqualTo("invalid_lease");
    pop("orders", "consumerGroup=g").expect(204);
    // when
    Reply time = seek("{'timestamp':'2026-01-01T00:01:00Z'}").expect(200);
    // then
    assertThat(time.text("/targetTimestamp")).isEqualTo("2026-01-01T00:01:00.000Z");
    restart();
    assertThat(names(pop("orders", "consumerGroup=g&autoAck=true&batch=9").expect(200)))
        .containsExactly("b");
    // when
    seek("{'toBeginning':true}").expect(200);
    // then
    assertThat(names(pop("orders", "consumerGroup=g&autoAck=true&batch=9").expect(200)))
        .containsExactly("a", "b");
  }

  @Test
  void shouldSeekOnOnePartition() {
    // given
    push("orders", "p1", "a");
    push("orders", "p2", "b");
    pop("orders", "consumerGroup=g&autoAck=true&batch=9&partitions=9").expect(200);
    String path = GROUPS + "/g/queues/orders/partitions/p1/seek";
    // when
    Reply back = post(path, "{'toBeginning':true}").expect(200);
    // then
    assertThat(back.text("/partitionName")).isEqualTo("p1");
    assertThat(back.flag("/updated")).isTrue();
    assertThat(back.number("/totalLag")).isEqualTo(1);
    // when
    post(path).expect(200);
    // then
    pop("orders", "consumerGroup=g").expect(204);
    post(GROUPS + "/g/queues/orders/partitions/none/seek").expect(404);
  }

  @Test
  void shouldRefuseASeekThatSaysNothingOrTooMuch() {
    push("orders", "p1", "a");
    pop("orders", "consumerGroup=g").expect(200);
    assertThat(seek("{}").expect(400).text("/error"))
        .startsWith("Must specify either 'toEnd': true or 'timestamp'");
    seek("{'toEnd':false}").expect(400);
    seek("{'toEnd':true,'toBeginning':true}").expect(400);
    seek("{'timestamp':'soon'}").expect(400);
    seek("{'to':'end'}").expect(400);
    post(GROUPS + "/nobody/queues/orders/seek", "{'toEnd':true}").expect(404);
    post(GROUPS + "/g/queues/no-such/seek", "{'toEnd':true}").expect(404);
  }

  @Test
  void shouldChangeTheSubscriptionOfAllItsQueues() {
    // given
    push("orders", "p1", "kept");
    pop("orders", "consumerGroup=g&autoAck=true").expect(200);
    pop("mails", "consumerGroup=g").expect(204);
    pop("mails", "consumerGroup=other").expect(204);
    push("quiet", "p1", "m");
    // when
    String time = "2999-01-01T00:00:00.000Z";
    Reply reply =
        post(GROUPS + "/g/subscription", "{'subscriptionTimestamp':'" + time + "'}").expect(200);
    // then
    assertThat(reply.json().at("/success").asBoolean()).isTrue();
    assertThat(reply.text("/consumerGroup")).isEqualTo("g");
    assertThat(reply.text("/newTimestamp")).isEqualTo(time);
    assertThat(reply.number("/rowsUpdated")).isEqualTo(2);
    Reply orders = get(GROUPS + "?queue=orders");
    assertThat(orders.text("/groups/0/subscriptionMode")).isEqualTo("timestamp");
    assertThat(orders.text("/groups/0/subscriptionTimestamp")).isEqualTo(time);
    push("orders", "p2", "too early");
    push("orders", "p1", "as before");
    Reply popped = pop("orders", "consumerGroup=g&batch=10&partitions=2").expect(200);
    assertThat(texts(popped, "/messages", "/partition")).containsExactly("p1");
    pop("orders", "consumerGroup=g").expect(204);
  }

  @Test
  void shouldChangeNoSubscriptionOfAnUnknownGroup() {
    String path = GROUPS + "/no-such/subscription";
    Reply reply = post(path, "{'subscriptionTimestamp':'2026-01-01T00:00:00Z'}").expect(200);
    assertThat(reply.number("/rowsUpdated")).isZero();
    assertThat(post(path, "{}").expect(400).text("/error"))
        .isEqualTo("Missing subscriptionTimestamp in request body");
  }

  @Test
  void shouldShowABoundedNumberOfPartitions() {
    // given
    int queues = GroupRoutes.SHOWN_MAX / Limits.PAGE_MAX + 2;
    for (int queue = 0; queue < queues; queue++) {
      List<NewMessage> messages = new ArrayList<>();
      for (int i = 0; i < Limits.PAGE_MAX; i++) {
        messages.add(NewMessage.to("q" + queue, new byte[] {'1'}).partition("p" + i));
      }
      broker.push(new PushRequest(messages, null)).orThrow();
      pop("q" + queue, "consumerGroup=g").expect(200);
    }
    // when
    Reply shown = get(GROUPS + "/g").expect(200);
    // then
    assertThat(shown.json()).hasSize(queues);
    int partitions = 0;
    int cut = 0;
    for (JsonNode queue : shown.json()) {
      partitions += queue.at("/partitions").size();
      cut += queue.at("/morePartitions").asBoolean() ? 1 : 0;
    }
    assertThat(partitions).isEqualTo(GroupRoutes.SHOWN_MAX);
    assertThat(cut).isEqualTo(2);
  }
}
