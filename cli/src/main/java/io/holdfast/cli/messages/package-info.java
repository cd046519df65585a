/** The commands that push, take, settle and inspect messages. */
@NullMarked
package io.holdfast.cli.messages;

import org.jspecify.annotations.NullMarked;
