package io.holdfast.cli.queues;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.CommandOutput;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code queue create} and {@code queue configure}. */
final class QueueConfigureCommands {
  private QueueConfigureCommands() {}

  /** The option names that shells complete. */
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
    @Mixin private ServerOptions remote;

    @Parameters(index = "0", paramLabel = "<queue>", description = "Queue name.")
    private String queue;

    @Parameters(
        index = "1..*",
        paramLabel = "<option>=<value>",
        completionCandidates = Names.class,
        description =
            "Options such as delivery=shared, leaseTime=60s, retryLimit=5 or retryLimit=default; all"
                + " are listed in docs/guarantees.md.")
    private List<String> options = new ArrayList<>();

    ConfigureRequest request() {
      ConfigureRequest request = ConfigureRequest.queue(queue);
      for (String option : options) {
        int equals = option.indexOf('=');
        if (equals < 1) {
          throw new IllegalArgumentException(
              "<option>=<value>: expected an option such as leaseTime=60s, but got " + option);
        }
        QueueOption name = QueueOption.named(option.substring(0, equals));
        request = request.set(name, QueueOptionText.parse(name, option.substring(equals + 1)));
      }
      return request;
    }

    private boolean exists(Broker broker) {
      Result<QueueInfo> found = broker.queue(queue);
      if (!found.isOk() && found.refusal().code() != ErrorCode.NOT_FOUND) {
        throw new RefusedException(found.refusal());
      }
      return found.isOk();
    }

    private CommandOutput output(QueueInfo info, String what) {
      return CommandOutput.line(
          "queue " + queue + " " + what,
          out -> QueueDetail.options(out.put("name", queue), info.options()));
    }
  }

  /** The {@code queue create} command. */
  @Command(
      name = "create",
      description = "Create a queue. The first push or pop also creates it, with default options.",
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
            if (settings.exists(broker)) {
              throw new IllegalStateException(
                  "the queue "
                      + settings.queue
                      + " exists; change it with 'holdfast queue configure'");
            }
            return settings.output(broker.configure(request).orThrow(), "created");
          });
    }
  }

  /** The {@code queue configure} command. */
  @Command(
      name = "configure",
      description = "Change options of a queue; the others keep their values.",
      footer = {
        "  holdfast queue configure orders leaseTime=10m retryLimit=default",
        "  holdfast queue configure orders --reset"
      })
  static final class Configure implements Callable<Integer> {
    @Mixin private Settings settings;

    @Option(names = "--reset", description = "Reset all other options to their defaults.")
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
            if (!settings.exists(broker)) {
              throw new IllegalStateException(
                  "no such queue: " + settings.queue + "; create it with 'holdfast queue create'");
            }
            QueueInfo changed = broker.configure(reset ? request.replacing() : request).orThrow();
            return settings.output(changed, "changed");
          });
    }
  }
}
