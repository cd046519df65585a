package io.holdfast.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What differs from case to case is left out of an error, and nothing else. */
class ErrorTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          order 17 not found                               | order # not found
          HTTP 503 after 12.5 s                            | HTTP # after #.# s
          timeout at worker-3                              | timeout at worker-#
          019a8a2f-7c00-7000-8000-000000000001 is gone     | # is gone
          no key deadbeef01 here                           | no key # here
          facade deceased accede                           | facade deceased accede
          two   blanks                                     | two blanks
          v2beta1 of x86_64                                | v#beta# of x#_#
          """)
  void shouldLeaveOutWhatDiffers(String error, String text) {
    assertThat(ErrorText.of(error)).isEqualTo(text);
  }

  @Test
  void shouldTakeTheBeginningOfALongOneAndLines() {
    assertThat(ErrorText.of("first\n\tsecond")).isEqualTo("first second");
    assertThat(ErrorText.of("x ".repeat(1_000)).length()).isLessThanOrEqualTo(ErrorText.CHARS_MAX);
    assertThat(ErrorText.of("y".repeat(1_000)).length()).isLessThanOrEqualTo(ErrorText.CHARS_MAX);
    assertThat(ErrorText.of("")).isEmpty();
  }
}
