package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.cli.terminal.Text;
import io.holdfast.server.http.JsonOut;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of {@code queue} that set options. */
final class QueueOptionCommands {
  private QueueOptionCommands() {}

  /** The options that shells offer. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(QueueOption.values())
          .<String>map(option -> option.wireName() + "=")
          .iterator();
    }
  }

  /** The queue and its options. */
  static final class Settings {
    @Mixin private RemoteOptions remote;

    @Parameters(index = "0", paramLabel = "<queue>", description = "The queue.")
    private String queue;

    @Parameters(
        index = "1..*",
        paramLabel = "<option>=<value>",
        completionCandidates = Names.class,
        description =
            "Options, such as delivery=shared, leaseTime=60s, retryLimit=5; 'default' is a value of"
                + " each. docs/guarantees.md has them all.")
    private List<String> options = new ArrayList<>();

    ConfigureRequest request() {
      ConfigureRequest request = ConfigureRequest.queue(queue);
      for (String option : options) {
        int equals = option.indexOf('=');
        if (equals < 1) {
          throw new IllegalArgumentException(
              "<option>=<value>: expected such as leaseTime=60s, but got " + option);
        }
        QueueOption name = QueueOption.named(option.substring(0, equals));
        request = request.set(name, OptionText.parse(name, option.substring(equals + 1)));
      }
      return request;
    }

    private boolean isThere(Broker broker) {
      Result<QueueInfo> found = broker.queue(queue);
      if (!found.isOk() && found.refusal().code() != ErrorCode.NOT_FOUND) {
        throw new RefusedException(found.refusal());
      }
      return found.isOk();
    }

    private Told told(QueueInfo info, String what) {
      return Told.of(
          () ->
              Documents.options(new JsonOut().beginObject().put("name", queue), info.options())
                  .endObject(),
          () -> new Text().line("queue ", queue, " is ", what));
    }
  }

  /** The {@code queue create} command. */
  @Command(
      name = "create",
      description = "Makes a queue. A push or a pop would as well, with the defaults.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  holdfast queue create orders",
        "  holdfast queue create mails delivery=shared leaseTime=60s retryLimit=5 track=true"
      })
  static final class Create implements Callable<Integer> {
    @Mixin private Settings settings;

    @Override
    public Integer call() {
      return settings.remote.show(
          broker -> {
            ConfigureRequest request = settings.request();
            if (settings.isThere(broker)) {
              throw new IllegalStateException(
                  "there is a queue "
                      + settings.queue
                      + " already; 'holdfast queue configure' changes it");
            }
            return settings.told(broker.configure(request).orThrow(), "made");
          });
    }
  }

  /** The {@code queue configure} command. */
  @Command(
      name = "configure",
      description = "Changes options of a queue; the others stay.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  holdfast queue configure orders leaseTime=10m retryLimit=default",
        "  holdfast queue configure orders --reset"
      })
  static final class Configure implements Callable<Integer> {
    @Mixin private Settings settings;

    @Option(names = "--reset", description = "Set those that are not named to their defaults.")
    private boolean reset;

    @Override
    public Integer call() {
      return settings.remote.show(
          broker -> {
            ConfigureRequest request = settings.request();
            if (request.changes().isEmpty() && !reset) {
              throw new IllegalArgumentException(
                  "<option>=<value>: expected one such as leaseTime=60s, or --reset, but there is"
                      + " none");
            }
            if (!settings.isThere(broker)) {
              throw new IllegalStateException(
                  "there is no queue " + settings.queue + "; 'holdfast queue create' makes one");
            }
            QueueInfo changed = broker.configure(reset ? request.replacing() : request).orThrow();
            return settings.told(changed, "changed");
          });
    }
  }
}
