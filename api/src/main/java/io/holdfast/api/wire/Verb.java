package io.holdfast.api.wire;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One thing a broker does, with the form of what it is asked and of what it answers.
 *
 * @param <I> what it is asked
 * @param <O> what it answers if it does not refuse
 */
public final class Verb<I, O> {
  private final String name;
  private final int number;
  private final Codec<I> request;
  private final Codec<O> answer;
  private final BiFunction<Broker, I, Result<O>> action;
  private final @Nullable BiFunction<Broker, I, AsyncResult<O>> asyncAction;

  Verb(
      String name,
      int number,
      Codec<I> request,
      Codec<O> answer,
      BiFunction<Broker, I, Result<O>> action,
      @Nullable BiFunction<Broker, I, AsyncResult<O>> asyncAction) {
    this.name = name;
    this.number = number;
    this.request = request;
    this.answer = answer;
    this.action = action;
    this.asyncAction = asyncAction;
  }

  /** Its name: the last part of its path. */
  public String name() {
    return name;
  }

  /** Its number in frames: from 1, in the order of {@link Verbs#ALL}. */
  public int number() {
    return number;
  }

  Codec<I> requestCodec() {
    return request;
  }

  Codec<O> answerCodec() {
    return answer;
  }

  /** What it is asked, by the name of its record. */
  public String requestName() {
    return request.name();
  }

  /** What it answers, by the name of its record. */
  public String answerName() {
    return answer.name();
  }

  /** Asks a broker. */
  public Result<O> ask(Broker broker, I asked) {
    return action.apply(broker, asked);
  }

  /** Whether {@link #askAsync} does without a thread where the broker can. */
  public boolean isAsync() {
    return asyncAction != null;
  }

  /**
   * Asks a broker without blocking.
   *
   * @throws IllegalStateException if the verb is not asynchronous
   */
  public AsyncResult<O> askAsync(Broker broker, I asked) {
    if (asyncAction == null) {
      throw new IllegalStateException("expected an asynchronous verb, but got " + name);
    }
    return asyncAction.apply(broker, asked);
  }

  public byte[] requestBytes(I asked) {
    return bytes(request, asked);
  }

  /**
   * What is asked.
   *
   * @throws IllegalArgumentException if that is not what it takes
   */
  public I request(byte[] body) {
    return read(request, body);
  }

  /**
   * What is asked by a part of some bytes.
   *
   * @throws IllegalArgumentException if that is not what it takes
   */
  public I request(byte[] bytes, int from, int to) {
    return read(request, new WireIn(bytes, from, to));
  }

  public byte[] answerBytes(O answered) {
    return bytes(answer, answered);
  }

  /**
   * What was answered.
   *
   * @throws IllegalArgumentException if that is not what it answers
   */
  public O answer(byte[] body) {
    return read(answer, body);
  }

  /**
   * What was answered in a part of some bytes.
   *
   * @throws IllegalArgumentException if that is not what it answers
   */
  public O answer(byte[] bytes, int from, int to) {
    return read(answer, new WireIn(bytes, from, to));
  }

  static <T> byte[] bytes(Codec<T> codec, @Nullable T value) {
    WireOut out = new WireOut();
    codec.write(out, value);
    return out.done();
  }

  static <T> T read(Codec<T> codec, byte[] body) {
    return read(codec, new WireIn(body));
  }

  static <T> T read(Codec<T> codec, WireIn in) {
    T value = Scalars.present(codec.read(in));
    if (in.hasMore()) {
      throw new WireException("the body: expected its end after " + codec.name());
    }
    return value;
  }

  @Override
  public String toString() {
    return name;
  }
}
