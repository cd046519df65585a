package io.holdfast.cli.terminal;

/**
 * A text and how it is to look.
 *
 * @param text what it says; not yet safe to show
 */
public record Styled(Style style, Object text) {}
