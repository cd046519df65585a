/**
 * The contract of Holdfast: one {@link io.holdfast.api.Broker}, its request and result records, and
 * the {@link io.holdfast.api.ErrorCode} of every refusal.
 */
@NullMarked
package io.holdfast.api;

import org.jspecify.annotations.NullMarked;
