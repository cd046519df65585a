/** Actions on flows. */
import { html, nothing } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { confirm } from './confirm.js';
import { wholeName } from '../parts/words.js';
import { say, attempt } from '../parts/toast.js';
import { deleteEnded, deleteFlow as remove, start, tell } from '../api/flows.js';
import { checkJson } from '../lib/json-check.js';
import { plural } from '../lib/format.js';
import { shown } from '../lib/text.js';

/** @typedef {{ key: string, label: string, hint: string, required?: boolean, json?: boolean }} Field */

/** A dialog with fields to fill in. */
class FlowForm extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    values: { state: true },
  };

  constructor() {
    super();
    /** @type {Record<string, string>} */
    this.values = {};
    this.title_ = '';
    this.label = '';
    /** @type {Hf.Content} */
    this.body = undefined;
    /** @type {Field[]} */
    this.fields = [];
    /** @type {(form: FlowForm) => Promise<unknown>} */
    this.act = async () => true;
    this.isDanger = false;
  }

  heading() {
    return this.title_;
  }

  submitLabel() {
    return this.label;
  }

  get danger() {
    return this.isDanger;
  }

  /** @param {string} key */
  value(key) {
    return this.values[key] ?? '';
  }

  /** @param {Field} field */
  problemOf({ key, json }) {
    return json && this.value(key).trim() !== '' ? checkJson(this.value(key)) : '';
  }

  whyNot() {
    const missing = this.fields.find((field) => field.required && this.value(field.key) === '');
    if (missing) {
      return `${missing.label} is required.`;
    }
    const wrong = this.fields.find((field) => this.problemOf(field) !== '');
    return wrong ? `${wrong.label} is not valid JSON.` : '';
  }

  content() {
    return html`${this.body ?? nothing}
    ${this.fields.map((field) => {
      const wrong = this.problemOf(field);
      /** @param {Hf.FieldEvent} event */
      const typed = (event) => (this.values = { ...this.values, [field.key]: event.target.value });
      return html`<label class="field">
        <span>${field.label}</span>
        ${
          field.json
            ? html`<textarea spellcheck="false" data-test="flow-${field.key}" .value=${this.value(field.key)} @input=${typed}></textarea>`
            : html`<input type="text" autocomplete="off" data-test="flow-${field.key}" .value=${this.value(field.key)} @input=${typed} />`
        }
        ${wrong ? html`<span class="problem" role="status">${wrong}</span>` : html`<span class="hint">${field.hint}</span>`}
      </label>`;
    })}`;
  }

  work() {
    return this.act(this);
  }
}

defineDialog('hf-flow-form', FlowForm);

/**
 * The object of the fields as JSON text; fields that are JSON go in as they were typed.
 *
 * @param {FlowForm} form
 */
function bodyOf(form) {
  const parts = form.fields
    .filter(({ key }) => form.value(key).trim() !== '')
    .map(
      ({ key, json }) => `${JSON.stringify(key)}:${json ? form.value(key).trim() : JSON.stringify(form.value(key))}`,
    );
  return `{${parts.join(',')}}`;
}

/** Starts a flow; promises its id. */
export function startFlow() {
  return FlowForm.open({
    title_: 'Start a flow',
    label: 'Start',
    fields: [
      { key: 'id', label: 'Id', required: true, hint: 'Of your choice. Starting one that exists changes nothing.' },
      { key: 'name', label: 'Name', required: true, hint: 'The name of its code, which a worker must have registered.' },
      { key: 'version', label: 'Version', hint: 'Of its code. Empty: the newest of its worker.' },
      { key: 'input', label: 'Input', json: true, hint: 'JSON. Empty: null.' },
    ],
    act: async (/** @type {FlowForm} */ form) => {
      const { id, started } = await start(bodyOf(form));
      say(started ? `${shown(id)} is started.` : `${shown(id)} was started before; nothing changed.`);
      return id;
    },
  });
}

/**
 * Raises an event that a flow waits for, or will.
 *
 * @param {string} id
 */
export function raiseEvent(id, name = '') {
  return FlowForm.open({
    title_: 'Raise an event',
    label: 'Raise',
    values: { name },
    fields: [
      {
        key: 'name',
        label: 'Name',
        required: true,
        hint: 'The event that the flow waits for. If it does not wait yet, the event is kept.',
      },
      { key: 'data', label: 'Data', json: true, hint: 'JSON. Empty: null.' },
    ],
    act: async (/** @type {FlowForm} */ form) => {
      await tell(id, 'raise', bodyOf(form));
      say('The event was raised.');
      return true;
    },
  });
}

const REASON = { key: 'reason', label: 'Reason', hint: 'It is stored in the history of the flow.' };

/**
 * @param {string} id
 * @param {string} verb
 * @param {{ title: string, body: Hf.Content, label: string, done: string, danger: boolean }} words
 */
function withReason(id, verb, { title, body, label, done, danger }) {
  return FlowForm.open({
    title_: title,
    label,
    body,
    isDanger: danger,
    fields: [REASON],
    act: async (/** @type {FlowForm} */ form) => {
      await tell(id, verb, bodyOf(form));
      say(done);
      return true;
    },
  });
}

/** @param {string} id */
export const cancelFlow = (id) =>
  withReason(id, 'cancel', {
    title: 'Cancel the flow?',
    body: html`<p>Its code is notified, may clean up, and then ends as cancelled. Its child flows are cancelled as well.</p>`,
    label: 'Cancel the flow',
    done: 'The flow was asked to cancel.',
    danger: true,
  });

/** @param {string} id */
export const terminateFlow = (id) =>
  withReason(id, 'terminate', {
    title: 'Terminate the flow?',
    body: html`<p>It ends at once, without its code: nothing is cleaned up. Prefer to cancel it, unless its code hangs.</p>`,
    label: 'Terminate',
    done: 'The flow is terminated.',
    danger: true,
  });

/** @param {string} id */
export const suspendFlow = (id) =>
  withReason(id, 'suspend', {
    title: 'Suspend the flow?',
    body: html`<p>It stops until it is resumed. Messages for it are kept.</p>`,
    label: 'Suspend',
    done: 'The flow is suspended.',
    danger: false,
  });

/** @param {string} id */
export const resumeFlow = (id) => attempt(() => tell(id, 'resume'), 'The flow was resumed.');

/**
 * Retries a blocked flow, or a failed one from its failure.
 *
 * @param {Hf.Flow} flow
 */
export function retryFlow(flow) {
  const isBlocked = flow.status === 'blocked';
  return confirm({
    title: isBlocked ? 'Retry the flow?' : 'Retry from the failure?',
    body: isBlocked
      ? html`<p>Its code runs again from the beginning against its history. If they still differ, it is blocked again, and nothing is lost.</p>`
      : html`<p>The last failed step is repeated, and the flow continues from there.</p>`,
    label: 'Retry',
    danger: false,
    act: async () => {
      await tell(flow.id, 'retry', '{}');
      say('The flow is retried.');
    },
  });
}

/**
 * Deletes one flow with its children.
 *
 * @param {Hf.Flow} flow
 * @param {boolean} isOver
 */
export function deleteFlow(flow, isOver) {
  return confirm({
    title: 'Delete the flow?',
    body: html`<p>
      <strong>${wholeName(flow.id)}</strong> is deleted with its history, its result, and the flows that it started and waited for.
      ${isOver ? '' : 'It has not ended: what it has under way is stopped.'} It cannot be undone.
    </p>`,
    label: 'Delete the flow',
    typed: flow.id,
    act: async () => {
      const deleted = await remove(flow.id, !isOver);
      say(`${plural(deleted, 'flow')} deleted.`);
    },
  });
}

const ENDED = ['completed', 'failed', 'cancelled', 'terminated'];

/**
 * Deletes flows that have ended, counted first.
 *
 * @param {{ status?: string, name?: string }} filter
 */
export async function purgeFlows(filter) {
  const query = { status: filter.status && ENDED.includes(filter.status) ? filter.status : undefined, name: filter.name };
  try {
    const { matched, more } = await deleteEnded({ ...query, limit: 10_000, dryRun: true });
    const which = `${query.status ?? 'ended'}${query.name ? ` flows called ${shown(query.name)}` : ' flows'}`;
    return await confirm({
      title: 'Delete ended flows?',
      body: html`<p>
        This deletes <strong>${plural(matched, 'flow')}</strong>${more ? ' and leaves more for another time' : ''}: all ${which}, with their histories,
        results and children. It cannot be undone.
      </p>`,
      label: `Delete ${plural(matched, 'flow')}`,
      typed: 'delete',
      act: async () => {
        const { deleted, kept } = await deleteEnded({ ...query, limit: 10_000 });
        say(
          `${plural(deleted, 'flow')} deleted${kept ? `, ${plural(kept, 'flow')} kept because a child has not ended` : ''}.`,
        );
      },
    });
  } catch (error) {
    return attempt(() => Promise.reject(error), '');
  }
}
