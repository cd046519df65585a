package io.holdfast.workflow;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Work that a flow has done elsewhere, with the name under which it is known.
 *
 * <p>It is done at least once: a worker that dies leaves it to another one. {@link Work#key} is the
 * same each time.
 *
 * @param <I> what it is given
 * @param <O> what it answers
 */
public final class Activity<I, O> implements Definition {
  /** The code of an activity. */
  @FunctionalInterface
  public interface Code<I, O> {
    O run(I input) throws Exception;
  }

  /** The code of an activity that wants to know about the attempt it is. */
  @FunctionalInterface
  public interface WorkCode<I, O> {
    O run(Work work, I input) throws Exception;
  }

  /** The tag of activities that have none. */
  public static final String NO_TAG = "";

  private final String name;
  private final String tag;
  private final Type inputType;
  private final Type outputType;
  private final WorkCode<I, O> code;

  private Activity(String name, String tag, Type input, Type output, WorkCode<I, O> code) {
    this.name = Names.checked("name", name);
    this.tag = tag.isEmpty() ? tag : Names.checked("tag", tag);
    this.inputType = input;
    this.outputType = output;
    this.code = code;
  }

  public static <I, O> Activity<I, O> named(
      String name, Class<I> input, Class<O> output, Code<I, O> code) {
    return new Activity<>(name, NO_TAG, input, output, (work, given) -> code.run(given));
  }

  public static <I, O> Activity<I, O> named(
      String name, TypeRef<I> input, TypeRef<O> output, Code<I, O> code) {
    return new Activity<>(
        name, NO_TAG, input.type(), output.type(), (work, given) -> code.run(given));
  }

  public static <I, O> Activity<I, O> working(
      String name, Class<I> input, Class<O> output, WorkCode<I, O> code) {
    return new Activity<>(name, NO_TAG, input, output, code);
  }

  /** The same activity, done only by workers that serve a tag. */
  public Activity<I, O> on(String workers) {
    return new Activity<>(name, workers, inputType, outputType, code);
  }

  /** The same activity with other code, as for a test. */
  public Activity<I, O> with(WorkCode<I, O> other) {
    return new Activity<>(name, tag, inputType, outputType, other);
  }

  @Override
  public String name() {
    return name;
  }

  public String tag() {
    return tag;
  }

  public Type inputType() {
    return inputType;
  }

  public Type outputType() {
    return outputType;
  }

  /** Runs the code; what it is given must be of its input's type. */
  @SuppressWarnings({"unchecked", "NullAway"})
  public @Nullable Object run(Work work, @Nullable Object input) throws Exception {
    return code.run(work, (I) input);
  }

  @Override
  public String toString() {
    return tag.isEmpty() ? name : name + " on " + tag;
  }
}
