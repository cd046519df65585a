package io.holdfast.cluster.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TicketTest {
  private final Ticket ticket = new Ticket(1, 1, new byte[0], new Outcome());

  @Test
  void shouldNotBeAppendedOnceItsCallersWereToldThatItWasRefused() {
    assertThat(ticket.refuse()).isTrue();
    assertThat(ticket.append()).isFalse();
  }

  @Test
  void shouldNotBeRefusedOnceItMayBeInTheLog() {
    assertThat(ticket.append()).isTrue();
    assertThat(ticket.refuse()).isFalse();
  }
}
