/** A broker with some life in it, to look at. */
@NullMarked
package io.holdfast.cli.demo;

import org.jspecify.annotations.NullMarked;
