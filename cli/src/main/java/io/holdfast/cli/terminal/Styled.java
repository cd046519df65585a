package io.holdfast.cli.terminal;

/**
 * A text with a style.
 *
 * @param text not yet escaped
 */
public record Styled(Style style, Object text) {}
