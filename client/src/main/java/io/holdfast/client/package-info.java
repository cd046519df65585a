/**
 * What applications use: a broker over HTTP, and producers, consumers, acks and tasks on any
 * broker.
 */
@NullMarked
package io.holdfast.client;

import org.jspecify.annotations.NullMarked;
