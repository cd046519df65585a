package io.holdfast.server.queues;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.queue.QueueOption;
import io.holdfast.server.MessagesFixture;
import org.junit.jupiter.api.Test;

/** How options are set, kept, reset, answered and refused. */
class ConfigureRouteTest extends MessagesFixture {
  @Test
  void shouldAnswerEveryOption() {
    // when
    Reply made = configure("q", "").expect(200);
    // then
    assertThat(made.flag("/configured")).isTrue();
    assertThat(made.text("/queue")).isEqualTo("q");
    assertThat(made.text("/queueId")).isNotEmpty();
    for (QueueOption option : QueueOption.values()) {
      var value = made.json().at("/options/" + option.wireName());
      assertThat(value.isMissingNode()).as(option.wireName()).isFalse();
      assertThat(value.asString()).isEqualTo(option.byDefault().toString());
      assertThat(value.isNumber()).isEqualTo(option.byDefault() instanceof Long);
      assertThat(value.isBoolean()).isEqualTo(option.byDefault() instanceof Boolean);
    }
    assertThat(made.json().at("/options/retentionEnabled").isBoolean()).isTrue();
    assertThat(made.flag("/options/encryptionEnabled")).isFalse();
    assertThat(made.number("/options/minPopWaitTime")).isZero();
  }

  @Test
  void shouldAnswerWhatWasSent() {
    // given
    String options =
        "\"leaseTime\":60,\"retryLimit\":5,\"priority\":7,\"delayedProcessing\":1,"
            + "\"windowBuffer\":2,\"maxSize\":100,\"retentionSeconds\":3600,"
            + "\"completedRetentionSeconds\":0,\"encryptionEnabled\":false,"
            + "\"retentionEnabled\":true,\"ttl\":3600,\"delivery\":\"shared\","
            + "\"deadLetterQueue\":false,\"retryJitter\":true,\"namespace\":\"n\",\"task\":\"t\"";
    // when
    Reply made = configure("q", options).expect(200);
    // then
    JSON.readTree("{" + options + "}")
        .properties()
        .forEach(
            sent ->
                assertThat(made.json().at("/options/" + sent.getKey())).isEqualTo(sent.getValue()));
    assertThat(made.text("/namespace")).isEqualTo("n");
    assertThat(made.text("/task")).isEqualTo("t");
  }

  @Test
  void shouldKeepWhatIsNotNamed() {
    // given
    configure("q", "'retryLimit':9,'leaseTime':60").expect(200);
    // when
    Reply merged = configure("q", "'leaseTime':null,'ttl':5").expect(200);
    restart();
    Reply later = configure("q", "").expect(200);
    // then
    assertThat(merged.number("/options/retryLimit")).isEqualTo(9);
    assertThat(merged.number("/options/leaseTime")).isEqualTo(300);
    assertThat(merged.number("/options/ttl")).isEqualTo(5);
    assertThat(later.json()).isEqualTo(merged.json());
  }

  @Test
  void shouldResetWhatIsNotNamedIfToldTo() {
    // given
    configure("q", "'retryLimit':9,'leaseTime':60").expect(200);
    // when
    Reply replaced =
        post("/api/v1/configure", "{'queue':'q','mode':'replace','options':{'leaseTime':7}}")
            .expect(200);
    // then
    assertThat(replaced.number("/options/retryLimit")).isEqualTo(3);
    assertThat(replaced.number("/options/leaseTime")).isEqualTo(7);
  }

  @Test
  void shouldTakeOptionsBesideTheQueue() {
    Reply made =
        post("/api/v1/configure", "{'queue':'q','namespace':'n','task':null,'leaseTime':2e1}")
            .expect(200);
    assertThat(made.text("/namespace")).isEqualTo("n");
    assertThat(made.number("/options/leaseTime")).isEqualTo(20);
  }

  @Test
  void shouldSayWhetherRetentionIsOn() {
    Reply unlimited = configure("q", "'retentionEnabled':true,'retentionSeconds':0").expect(200);
    assertThat(unlimited.flag("/options/retentionEnabled")).isTrue();
    assertThat(unlimited.number("/options/retentionSeconds")).isZero();
    assertThat(
            configure("q", "'retentionEnabled':false,'retentionSeconds':5")
                .expect(400)
                .text("/error"))
        .contains("retentionSeconds");
    Reply on = configure("q", "'retentionEnabled':true,'retentionSeconds':5").expect(200);
    assertThat(on.flag("/options/retentionEnabled")).isTrue();
    Reply still = configure("q", "'retentionEnabled':true").expect(200);
    assertThat(still.number("/options/retentionSeconds")).isEqualTo(5);
    Reply off = configure("q", "'retentionEnabled':false").expect(200);
    assertThat(off.flag("/options/retentionEnabled")).isFalse();
    assertThat(off.number("/options/retentionSeconds")).isZero();
  }

  /** Queen's client sends this for {@code queue('').create()}. */
  @Test
  void shouldAnswerForAQueueWithoutNameButMakeNone() {
    // when
    Reply made =
        post(
                "/api/v1/configure",
                "{'queue':'','namespace':'n','task':null,'options':{'leaseTime':60}}")
            .expect(200);
    // then
    assertThat(made.flag("/configured")).isTrue();
    assertThat(made.text("/queue")).isEmpty();
    assertThat(made.text("/namespace")).isEqualTo("n");
    assertThat(made.number("/options/leaseTime")).isEqualTo(60);
    assertThat(made.header("Holdfast-Ignored")).isEqualTo("queue");
    assertThat(broker.stats().orThrow().queues()).isZero();
    configure("", "'leaseTime':'x'").expect(400);
  }

  @Test
  void shouldRefuseWhatItDoesNotSupport() {
    for (String option :
        new String[] {
          "'minPopWaitTime':5", "'retentionSinkHold':'s3'", "'retentionSinkHoldMaxSeconds':1"
        }) {
      String name = option.substring(1, option.indexOf('\'', 1));
      Reply refused = configure("q", option).expect(400);
      assertThat(refused.text("/code")).isEqualTo("UNSUPPORTED");
      assertThat(refused.text("/field")).isEqualTo("options." + name);
      assertThat(refused.text("/error")).contains("does not support " + name);
      assertThat(broker.queue("q").isOk()).isFalse();
    }
    configure(
            "q",
            "'minPopWaitTime':0,'retentionSinkHold':''," + "'retentionSinkHoldMaxSeconds':null")
        .expect(200);
  }

  @Test
  void shouldRefuseWrongOptionsAndSayWhich() {
    String[][] cases = {
      {"{'options':{}}", "queue"},
      {"{'queue':null}", "queue"},
      {"{'queue':5}", "queue"},
      {"{'queue':'q','mode':'mix'}", "mode"},
      {"{'queue':'q','options':[]}", "options"},
      {"{'queue':'q','options':{'leaseTime':0}}", "options.leaseTime"},
      {"{'queue':'q','options':{'leaseTime':'60'}}", "options.leaseTime"},
      {"{'queue':'q','options':{'leaseTime':1.5}}", "options.leaseTime"},
      {"{'queue':'q','options':{'retryLimit':-1}}", "options.retryLimit"},
      {"{'queue':'q','options':{'retryLimit':1e99}}", "options.retryLimit"},
      {"{'queue':'q','options':{'delivery':'random'}}", "options.delivery"},
      {"{'queue':'q','options':{'deadLetterQueue':1}}", "options.deadLetterQueue"},
      {"{'queue':'q','options':{'encryptionEnabled':'no'}}", "options.encryptionEnabled"},
      {"{'queue':'q','options':{'ttl':1},'ttl':2}", "ttl"},
      {"{'queue':'q','namespace':'" + "n".repeat(256) + "'}", "namespace"},
      {"{'queue':'" + "n".repeat(256) + "'}", "queue"},
    };
    for (String[] one : cases) {
      Reply reply = post("/api/v1/configure", one[0]);
      assertThat(reply.expect(400).text("/field")).as(one[0]).isEqualTo(one[1]);
    }
    Reply unknown = configure("q", "'leaseTimes':5").expect(400);
    assertThat(unknown.text("/field")).isEqualTo("options.leaseTimes");
    for (QueueOption option : QueueOption.values()) {
      assertThat(unknown.text("/error")).contains(option.wireName());
    }
    assertThat(broker.queue("q").isOk()).isFalse();
  }
}
