package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.cli.CliFixture.Ran;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others put into names, payloads, headers and errors does nothing to a terminal. */
class InjectionTest {
  /** Sets the title, clears the screen, and rings: what a terminal would obey. */
  private static final String EVIL =
      "\u001b]0;owned\u0007\u001b[2J\r\u009b31m\u007f\u202egnp.exe\n";

  /** A name may not hold control characters, but those that turn text around. */
  private static final String NAME = "q\u202ekcab\u200b";

  private static final byte[] EVIL_JSON = "{\"x\":\"\u009b31m \u202e \u007f\"}".getBytes(UTF_8);

  private final CliFixture cli = CliFixture.start();
  private String id = "";

  @BeforeEach
  void fill() {
    cli.broker().configure(ConfigureRequest.queue(NAME).set(QueueOption.TRACK, true)).orThrow();
    id =
        cli.broker()
            .push(
                PushRequest.of(
                    evil(EVIL.getBytes(UTF_8)), evil(EVIL_JSON), evil(new byte[] {27, -1, 7})))
            .orThrow()
            .messages()
            .getFirst()
            .id()
            .toString();
    List<Delivery> held =
        cli.broker()
            .pop(PopRequest.queue(NAME).group(NAME).batch(3).worker(NAME))
            .orThrow()
            .messages();
    cli.broker()
        .settle(
            SettleRequest.of(
                Settle.kill(held.get(0).handle(), EVIL), Settle.nack(held.get(1).handle(), EVIL)))
        .orThrow();
  }

  private static NewMessage evil(byte[] payload) {
    return NewMessage.to(NAME, payload).headers(Map.of("h", EVIL));
  }

  @AfterEach
  void stop() {
    cli.close();
  }

  private static boolean isObeyed(int c) {
    return c != '\n'
        && (Character.isISOControl(c)
            || Character.getType(c) == Character.FORMAT
            || Character.getType(c) == Character.SURROGATE);
  }

  private void assertHarmless(Ran ran) {
    assertThat(ran.out() + ran.err())
        .as(ran.toString())
        .isNotBlank()
        .satisfies(
            text ->
                assertThat(text.codePoints().filter(InjectionTest::isObeyed).boxed()).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "queues",
        "queue show NAME",
        "groups",
        "messages NAME",
        "messages NAME --group NAME",
        "explain ID",
        "tasks",
        "task ID",
        "dlq list",
        "dlq list NAME",
        "pop NAME --batch 10",
        "pop NAME --batch 10 --payload",
        "tail NAME --from beginning",
        "tail NAME --from beginning --payload",
        "top --once",
        "queue show NAME-not",
        "seek NAME none --to end",
        "queue delete NAME",
        "flows show NAME",
        "push NAME NAME",
        "NAME",
        "queues --NAME"
      })
  void shouldEscapeWhatATerminalWouldObey(String command) {
    String[] arguments = command.replace("NAME", NAME).replace("ID", id).split(" ");
    assertHarmless(cli.run(new FakeTerminal().screen(120), arguments));
    assertHarmless(cli.run(new FakeTerminal().screen(40), arguments));
    String[] json = Arrays.copyOf(arguments, arguments.length + 1);
    json[arguments.length] = "--json";
    assertHarmless(cli.run(new FakeTerminal().screen(120), json));
  }

  @Test
  void shouldHoldOnlyItsOwnStylesOnAColouredScreen() {
    Ran ran = cli.run(new FakeTerminal().screen(200).colours(), "dlq", "list", NAME);
    assertThat(ran.out()).contains("\u001b[1mID\u001b[0m");
    assertHarmless(new Ran(0, ran.out().replaceAll("\u001b\\[[0-9]{1,2}m", ""), ""));
  }

  @Test
  void shouldKeepWhatJsonMeans() {
    String text =
        cli.run(new FakeTerminal(), "messages", NAME, "--json")
            .json()
            .get("messages")
            .get(1)
            .get("data")
            .get("x")
            .asString();
    assertThat(text).isEqualTo("\u009b31m \u202e \u007f");
  }

  @Test
  void shouldPassBytesOnThatNoTerminalReads() {
    // given
    FakeTerminal pipe = new FakeTerminal();
    // when
    cli.run(pipe, "pop", NAME, "--batch", "3", "--payload", "--group", "other");
    // then
    assertThat(pipe.bytes()).contains(27, -1, 7);
    assertThat(pipe.printed()).startsWith(EVIL);
  }
}
