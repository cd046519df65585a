package io.holdfast.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;

class RefusedExceptionTest {
  @Test
  void shouldKeepItsRefusalWhenSerialized() throws IOException, ClassNotFoundException {
    // given
    RefusedException refused =
        new RefusedException(new Refusal(ErrorCode.STALE_LEASE, "the lease expired", 3));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    // when
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(refused);
    }
    RefusedException copy;
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      copy = (RefusedException) in.readObject();
    }
    // then
    assertThat(copy.code()).isEqualTo(ErrorCode.STALE_LEASE);
    assertThat(copy.refusal()).isEqualTo(refused.refusal());
    assertThat(copy).hasMessage(refused.getMessage());
  }
}
