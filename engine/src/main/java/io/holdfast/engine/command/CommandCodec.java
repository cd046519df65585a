package io.holdfast.engine.command;

import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RequestNumber;
import io.holdfast.api.wire.Form;
import io.holdfast.engine.command.Command.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Commands as bytes: the number of their kind, then what they hold.
 *
 * <p>Most kinds have the {@link Form} of their record, so that a record may get further components
 * at its end. Pushes and commits have a form of their own, which copies packed messages only once.
 * The number of a kind is never used for another one.
 */
final class CommandCodec {
  private static final int PUSH = 1;
  private static final int COMMIT = 6;
  private static final Form<Operation> OPERATION = Form.of(Operation.class);
  private static final Form<RequestNumber> NUMBER = Form.of(RequestNumber.class);

  /** A kind of command that has the form of its record. */
  private record Kind(int number, Form<Command> form) {}

  private static final Map<Class<?>, Kind> BY_TYPE = new HashMap<>();
  private static final Map<Integer, Kind> BY_NUMBER = new HashMap<>();

  static {
    kind(2, Command.PopMessages.class);
    kind(3, Command.SettleMessages.class);
    kind(4, Command.ExtendLease.class);
    kind(5, Command.StartTask.class);
    kind(7, Command.CancelMessage.class);
    kind(8, Command.RescheduleMessage.class);
    kind(9, Command.ConfigureQueue.class);
    kind(10, Command.PauseQueue.class);
    kind(11, Command.PurgeQueue.class);
    kind(12, Command.DeleteQueue.class);
    kind(13, Command.SeekGroup.class);
    kind(14, Command.DeleteGroup.class);
    kind(15, Command.RequeueDead.class);
    kind(16, Command.RemoveDead.class);
    kind(17, Command.Tick.class);
    kind(18, Command.SubscribeGroup.class);
    kind(19, Command.OpenSession.class);
    kind(20, Command.RaiseFormat.class);
    kind(21, Command.SetLimits.class);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Command> void kind(int number, Class<T> type) {
    Kind kind = new Kind(number, (Form<Command>) (Form<?>) Form.of(type));
    BY_TYPE.put(type, kind);
    BY_NUMBER.put(number, kind);
  }

  private CommandCodec() {}

  static byte[] bytes(Command command) {
    return switch (command) {
      case Command.PushMessages push -> pushBytes(push);
      case Command.CommitOperations commit -> commitBytes(commit);
      default -> formBytes(command);
    };
  }

  private static byte[] formBytes(Command command) {
    Kind kind = BY_TYPE.get(command.getClass());
    if (kind == null) {
      throw new IllegalStateException("a command has no number: " + command.getClass());
    }
    byte[] form = kind.form.write(command);
    return new ByteWriter(1 + form.length).byte1(kind.number).raw(form, 0, form.length).done();
  }

  /**
   * Reads the command that the bytes of a reader are.
   *
   * @throws UnknownFormatException if this version does not know its kind
   * @throws IllegalArgumentException if the bytes are not a command
   */
  static Command read(ByteReader in) {
    int number = in.byte1() & 0xff;
    Kind kind = BY_NUMBER.get(number);
    if (kind != null) {
      return kind.form.readExactly(in.rest());
    }
    Command command =
        switch (number) {
          case PUSH -> readPush(in);
          case COMMIT -> readCommit(in);
          default -> throw unknown(number);
        };
    if (!in.atEnd()) {
      throw new IllegalArgumentException("expected the end of the command at byte " + in.at());
    }
    return command;
  }

  private static UnknownFormatException unknown(int number) {
    return new UnknownFormatException(
        "A command is of kind "
            + number
            + ", and this version of Holdfast knows the kinds 1 to "
            + (BY_NUMBER.size() + 2)
            + ". Run the newer version that wrote it.");
  }

  private static byte[] pushBytes(Command.PushMessages push) {
    int size = 64;
    for (Packed packed : push.lanes()) {
      size += packed.bytes().length + 10 * packed.count();
    }
    ByteWriter out = new ByteWriter(size).byte1(PUSH).varint(push.lanes().size());
    push.lanes().forEach(packed -> PackedCodec.write(out, packed));
    return end(out.varint(push.count()), push.requestId(), push.number());
  }

  private static Command readPush(ByteReader in) {
    int count = in.elements();
    List<Packed> lanes = new ArrayList<>();
    int messages = 0;
    while (lanes.size() < count) {
      lanes.add(PackedCodec.read(in));
      messages += lanes.getLast().count();
    }
    if (in.count() != messages) {
      throw new IllegalArgumentException("expected the count of " + messages + " messages");
    }
    return new Command.PushMessages(lanes, messages, in.maybe(), number(in));
  }

  private static byte[] commitBytes(Command.CommitOperations commit) {
    ByteWriter out = new ByteWriter(256).byte1(COMMIT).varint(commit.parts().size());
    for (Part part : commit.parts()) {
      switch (part) {
        case Part.Push push -> {
          PackedCodec.write(out.byte1('p'), push.messages());
          out.flag(push.ignoreDuplicate());
        }
        case Part.Other other -> out.byte1('o').bytes(OPERATION.write(other.operation()));
      }
    }
    return end(out, commit.requestId(), commit.number());
  }

  private static Command readCommit(ByteReader in) {
    int count = in.elements();
    List<Part> parts = new ArrayList<>();
    while (parts.size() < count) {
      int kind = in.byte1();
      parts.add(
          switch (kind) {
            case 'p' -> new Part.Push(PackedCodec.read(in), in.flag());
            case 'o' -> new Part.Other(OPERATION.readExactly(in.bytes()));
            default ->
                throw new IllegalArgumentException("expected a part of a commit, but got " + kind);
          });
    }
    return new Command.CommitOperations(parts, in.maybe(), number(in));
  }

  private static byte[] end(
      ByteWriter out, @Nullable String requestId, @Nullable RequestNumber number) {
    out.maybe(requestId).flag(number != null);
    return number == null ? out.done() : out.bytes(NUMBER.write(number)).done();
  }

  private static @Nullable RequestNumber number(ByteReader in) {
    return in.flag() ? NUMBER.readExactly(in.bytes()) : null;
  }
}
