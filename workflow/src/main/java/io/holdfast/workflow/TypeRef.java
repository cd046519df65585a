package io.holdfast.workflow;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A type with its arguments: {@code new TypeRef<List<Order>>() {}}.
 *
 * @param <T> the type
 */
@SuppressWarnings("unused")
public abstract class TypeRef<T> {
  private final Type type;

  protected TypeRef() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType whole)) {
      throw new IllegalStateException("expected new TypeRef<...>() {}, with a type in between");
    }
    this.type = whole.getActualTypeArguments()[0];
  }

  public final Type type() {
    return type;
  }
}
