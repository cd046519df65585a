package io.holdfast.workflow;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * A flow as code, with the name and version under which it is known.
 *
 * @param <I> what it is given
 * @param <O> what it answers
 */
public final class Orchestration<I, O> implements Definition {
  /** The code of a flow. Its calls to {@link Flow} decide what happens; it must not use a clock. */
  @FunctionalInterface
  public interface Code<I, O> {
    O run(Flow flow, I input) throws Exception;
  }

  private final String name;
  private final Version version;
  private final Type inputType;
  private final Type outputType;
  private final Code<I, O> code;

  private Orchestration(
      String name, Version version, Type inputType, Type outputType, Code<I, O> code) {
    this.name = Names.checked("name", name);
    this.version = version;
    this.inputType = inputType;
    this.outputType = outputType;
    this.code = code;
  }

  public static <I, O> Orchestration<I, O> named(
      String name, String version, Class<I> input, Class<O> output, Code<I, O> code) {
    return new Orchestration<>(name, Version.of(version), input, output, code);
  }

  /** Version 1.0. */
  public static <I, O> Orchestration<I, O> named(
      String name, Class<I> input, Class<O> output, Code<I, O> code) {
    return named(name, "1.0", input, output, code);
  }

  public static <I, O> Orchestration<I, O> named(
      String name, String version, TypeRef<I> input, TypeRef<O> output, Code<I, O> code) {
    return new Orchestration<>(name, Version.of(version), input.type(), output.type(), code);
  }

  /** The same flow in another version of its code. */
  public Orchestration<I, O> version(String other, Code<I, O> changed) {
    return new Orchestration<>(name, Version.of(other), inputType, outputType, changed);
  }

  @Override
  public String name() {
    return name;
  }

  public String version() {
    return version.text();
  }

  /** Which of two versions is the older one. */
  public static int compareVersions(String one, String other) {
    return Version.of(one).compareTo(Version.of(other));
  }

  public Type inputType() {
    return inputType;
  }

  public Type outputType() {
    return outputType;
  }

  /** Runs the code; what it is given must be of its input's type. */
  @SuppressWarnings({"unchecked", "NullAway"})
  public @Nullable Object run(Flow flow, @Nullable Object input) throws Exception {
    return code.run(flow, (I) input);
  }

  @Override
  public String toString() {
    return name + " " + version.text();
  }
}
