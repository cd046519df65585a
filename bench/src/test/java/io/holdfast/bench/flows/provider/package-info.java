/**
 * The rules that a broker must keep for flows to be safe in it, tried on both brokers.
 *
 * <p>They are groups 1 to 14 and 18 of the validation suite of the model; each of its tests has its
 * name here as a display name, and those that it lacks begin with "ours". All exist. These say
 * something else than in the model:
 *
 * <ul>
 *   <li>{@code no_instance_creation_on_enqueue}: a start that is only a message makes no record. A
 *       client's start makes one that is pending, in the same commit as the message.
 *   <li>{@code orphan_queue_messages_dropped}: all but events, which wait for the start.
 *   <li>{@code null_version_handling}: no version means the newest that the first worker knows.
 *   <li>{@code abandon_..._ignore_attempt_decrements}: deliveries are counted up only. What makes a
 *       poison is the count of workers that died, to which giving back adds nothing.
 *   <li>{@code fetch_returns_...} and {@code renew_returns_...}: the status of the flow is not
 *       told. Work that is not wanted is taken back in the commit that ends the wish for it, and a
 *       renewal tells what was taken back.
 *   <li>{@code corrupted_serialization_data}: asserts what becomes of a message, an order for work,
 *       an event and a record that cannot be read.
 * </ul>
 *
 * <p>Groups 15, 16 and 19 do not apply: a flow is pinned to the version of its code and a worker
 * without that gives it back, so that there are no ranges of versions to filter by; there are no
 * sessions; and there is no store of keys and values.
 */
@NullMarked
package io.holdfast.bench.flows.provider;

import org.jspecify.annotations.NullMarked;
