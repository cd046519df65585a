/** The filters of the list of dead letters. */
import { html } from 'lit';

/**
 * @param {Hf.PlaceQuery} query
 * @param {(field: string, event: Hf.FieldEvent) => void} typed
 * @param {(change: Hf.PlaceQuery) => void} show
 */
export function deadFilters(query, typed, show) {
  const text = (/** @type {string} */ field, /** @type {string} */ label, kind = '') =>
    html`<label class=${kind}>
      ${label}
      <input
        type="search"
        placeholder="Any"
        data-test="dead-${field}"
        .value=${query[field] ?? ''}
        @input=${(/** @type {Hf.FieldEvent} */ event) => typed(field, event)}
      />
    </label>`;
  /** @param {string} field @param {string} label */
  const time = (field, label) =>
    html`<label>
      ${label}
      <input
        type="datetime-local"
        step="1"
        data-test="dead-${field}"
        .value=${query[field] ?? ''}
        @change=${(/** @type {Hf.FieldEvent} */ event) => show({ [field]: event.target.value })}
      />
    </label>`;
  return html`<div class="filters">
    ${text('queue', 'Queue')} ${text('group', 'Group')} ${text('error', 'Error contains', 'wide')}
    ${time('from', 'Died from')} ${time('to', 'to')}
  </div>`;
}
