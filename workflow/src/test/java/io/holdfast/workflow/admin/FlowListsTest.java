package io.holdfast.workflow.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.Page;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlowListsTest extends AdminFixture {
  private List<String> ids(FlowQuery query) {
    return admin.list(query).items().stream().map(FlowLine::id).toList();
  }

  @Test
  void shouldListByStatusAndName() {
    // given
    run(ECHO, "e1", "x");
    run(ECHO, "e2", "x");
    run(FAILS, "f1", "x");
    flows.start(WAITS, "w1", "x");
    awaitWaiting("w1");
    // then
    assertThat(ids(FlowQuery.all())).containsExactly("w1", "e1", "e2", "f1");
    assertThat(ids(FlowQuery.all().status(FlowStatus.COMPLETED))).containsExactly("e1", "e2");
    assertThat(ids(FlowQuery.all().status(FlowStatus.FAILED, FlowStatus.RUNNING)))
        .containsExactly("w1", "f1");
    assertThat(ids(FlowQuery.all().name("echo"))).containsExactly("e1", "e2");
    assertThat(ids(FlowQuery.all().name("echo").status(FlowStatus.RUNNING))).isEmpty();
    assertThat(ids(FlowQuery.all().name("ech"))).isEmpty();
    FlowLine line = admin.list(FlowQuery.all().name("fails")).items().getFirst();
    assertThat(line.status()).isEqualTo(FlowStatus.FAILED);
    assertThat(line.version()).isEqualTo("1.0");
    assertThat(line.hasParent()).isFalse();
    assertThat(line.sinceMs()).isGreaterThanOrEqualTo(line.createdMs());
  }

  @Test
  void shouldPageOverStatusesInAStableOrder() {
    // given
    for (int i = 0; i < 5; i++) {
      run(ECHO, "a/b%" + i, "x");
      run(FAILS, "f" + i, "x");
    }
    // when
    List<String> seen = new ArrayList<>();
    String after = null;
    int pages = 0;
    do {
      Page<FlowLine> page = admin.list(FlowQuery.all().limit(3).after(after));
      page.items().forEach(line -> seen.add(line.id()));
      after = page.next();
      pages++;
    } while (after != null);
    // then
    assertThat(pages).isEqualTo(4);
    assertThat(seen)
        .containsExactly("a/b%0", "a/b%1", "a/b%2", "a/b%3", "a/b%4", "f0", "f1", "f2", "f3", "f4");
    assertThat(admin.list(FlowQuery.all().limit(10)).next()).isNull();
  }

  @Test
  void shouldRefuseAnAfterOfAnotherList() {
    // given
    run(ECHO, "e1", "x");
    run(ECHO, "e2", "x");
    String next = admin.list(FlowQuery.all().limit(1)).next();
    // then
    assertThatThrownBy(() -> admin.list(FlowQuery.all().after("§")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("after: expected");
    assertThatThrownBy(() -> admin.list(FlowQuery.all().after("AAAA")))
        .hasMessageStartingWith("after: expected");
    assertThatThrownBy(() -> admin.list(FlowQuery.all().status(FlowStatus.FAILED).after(next)))
        .hasMessageStartingWith("after: expected");
    assertThatThrownBy(() -> admin.list(FlowQuery.all().name("fails").after(next)))
        .hasMessageStartingWith("after: expected");
  }

  @Test
  void shouldCountFlowsAndQueues() {
    // given
    run(ECHO, "e1", "x");
    run(ECHO, "e2", "x");
    run(FAILS, "f1", "x");
    flows.start(WORKS, "w1", "gate");
    awaitWaiting("w1");
    // when
    Overview all = admin.overview(1_000);
    // then
    assertThat(all.flows().exact()).isTrue();
    assertThat(all.flows().of(FlowStatus.COMPLETED)).isEqualTo(2);
    assertThat(all.flows().of(FlowStatus.FAILED)).isEqualTo(1);
    assertThat(all.flows().of(FlowStatus.RUNNING)).isEqualTo(1);
    assertThat(all.flows().of(FlowStatus.BLOCKED)).isZero();
    assertThat(all.flows().total()).isEqualTo(4);
    assertThat(all.queues())
        .extracting(Overview.Depth::queue)
        .containsExactly("flows", "flows.work");
    assertThat(all.queues()).extracting(Overview.Depth::tag).containsExactly(null, "");
  }

  @Test
  void shouldListAFlowThatWasOnlyAskedFor() {
    // given: nobody serves
    flows.close();
    Flows client = Flows.on(broker);
    // when
    client.start(ECHO, "p", "x");
    // then
    assertThat(ids(FlowQuery.all().status(FlowStatus.PENDING))).containsExactly("p");
    assertThat(client.admin().show("p").waits()).isEmpty();
    assertThat(client.admin().history("p", 0, 0, 10).events()).isEmpty();
    assertThat(client.admin().executions("p")).isEmpty();
  }
}
