/** What can be done to flows. */
import { html, nothing } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { confirm } from './confirm.js';
import { wholeName } from '../parts/words.js';
import { say, attempt } from '../parts/toast.js';
import { post, remove } from '../lib/api.js';
import { checkJson } from '../lib/json-check.js';
import { plural } from '../lib/format.js';
import { shown } from '../lib/text.js';

const path = (id, ...more) => ['flows', id, ...more];

/** A dialog with lines of text to fill in: fields are {key, label, hint, required, json}. */
class FlowForm extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    values: { state: true },
  };

  constructor() {
    super();
    this.values = {};
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

  value(key) {
    return this.values[key] ?? '';
  }

  problemOf({ key, json }) {
    return json && this.value(key).trim() !== '' ? checkJson(this.value(key)) : '';
  }

  isReady() {
    return this.fields.every(
      (field) => (!field.required || this.value(field.key) !== '') && this.problemOf(field) === '',
    );
  }

  content() {
    return html`${this.body ?? nothing}
    ${this.fields.map((field) => {
      const wrong = this.problemOf(field);
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

/** The object of the fields as JSON text; fields that are JSON go in as they were typed. */
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
      { key: 'id', label: 'Id', required: true, hint: 'Of your choice. Starting one that is there changes nothing.' },
      { key: 'name', label: 'Name', required: true, hint: 'What its code is called; a worker must know it.' },
      { key: 'version', label: 'Version', hint: 'Of its code. Empty: the newest that its worker has.' },
      { key: 'input', label: 'Input', json: true, hint: 'JSON that it is given. Empty: null.' },
    ],
    act: async (form) => {
      const { id, started } = await post(['flows'], bodyOf(form));
      say(started ? `${shown(id)} is started.` : `${shown(id)} was started before; nothing changed.`);
      return id;
    },
  });
}

/** Raises an event that a flow waits for, or will. */
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
        hint: 'What the flow waits for. If it does not wait yet, the event is kept for it.',
      },
      { key: 'data', label: 'Data', json: true, hint: 'JSON that it brings. Empty: null.' },
    ],
    act: async (form) => {
      await post(path(id, 'raise'), bodyOf(form));
      say('The event is on its way.');
      return true;
    },
  });
}

const REASON = { key: 'reason', label: 'Why', hint: 'It is kept in the history of the flow.' };

function withReason(id, verb, { title, body, label, done, danger }) {
  return FlowForm.open({
    title_: title,
    label,
    body,
    isDanger: danger,
    fields: [REASON],
    act: async (form) => {
      await post(path(id, verb), bodyOf(form));
      say(done);
      return true;
    },
  });
}

export const cancelFlow = (id) =>
  withReason(id, 'cancel', {
    title: 'Ask the flow to end?',
    body: html`<p>Its code is told, may clean up, and then ends as cancelled. Flows that it waits for are told as well.</p>`,
    label: 'Cancel the flow',
    done: 'The flow was asked to end.',
    danger: true,
  });

export const terminateFlow = (id) =>
  withReason(id, 'terminate', {
    title: 'Terminate the flow?',
    body: html`<p>It ends at once, without its code: nothing is cleaned up. Prefer to cancel it, unless its code hangs.</p>`,
    label: 'Terminate',
    done: 'The flow is terminated.',
    danger: true,
  });

export const suspendFlow = (id) =>
  withReason(id, 'suspend', {
    title: 'Suspend the flow?',
    body: html`<p>It stops for now. What comes for it is kept until it is resumed.</p>`,
    label: 'Suspend',
    done: 'The flow is suspended.',
    danger: false,
  });

export const resumeFlow = (id) => attempt(() => post(path(id, 'resume')), 'The flow goes on.');

/** A blocked flow goes on; a failed one goes on from its failure. */
export function retryFlow(flow) {
  const isBlocked = flow.status === 'blocked';
  return confirm({
    title: isBlocked ? 'Let the flow go on?' : 'Retry from the failure?',
    body: isBlocked
      ? html`<p>Its code runs again from the beginning against its history. If it still does not fit, it is blocked again, and nothing is lost.</p>`
      : html`<p>What failed last happens again, and the flow goes on from there.</p>`,
    label: isBlocked ? 'Let it go on' : 'Retry',
    danger: false,
    act: async () => {
      await post(path(flow.id, 'retry'), {});
      say('The flow was told to go on.');
    },
  });
}

/** Deletes one flow with its children. */
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
      const { deleted } = await remove(['flows', flow.id], {
        query: { cascade: true, force: isOver ? undefined : true },
      });
      say(`${plural(deleted, 'flow')} deleted.`);
    },
  });
}

const ENDED = ['completed', 'failed', 'cancelled', 'terminated'];

/** Deletes flows that have ended, counted first. */
export async function purgeFlows(filter) {
  const query = { status: ENDED.includes(filter.status) ? filter.status : undefined, name: filter.name };
  try {
    const { matched, more } = await remove(['flows'], { query: { ...query, limit: 10_000, dryRun: true } });
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
        const { deleted, kept } = await remove(['flows'], { query: { ...query, limit: 10_000 } });
        say(
          `${plural(deleted, 'flow')} deleted${kept ? `, ${plural(kept, 'flow')} stayed because a child has not ended` : ''}.`,
        );
      },
    });
  } catch (error) {
    return attempt(() => Promise.reject(error), '');
  }
}
