package io.holdfast.cli.messages;

import io.holdfast.api.message.MessageState;
import io.holdfast.cli.options.EnumConverter;

/** The states of messages, as arguments. */
final class MessageStates extends EnumConverter<MessageState> {
  MessageStates() {
    super(MessageState.class);
  }
}
