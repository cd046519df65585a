/** The form for the options of a queue, to create it or to change them. */
import { html, nothing } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { skeleton, problem } from '../parts/notice.js';
import { queueOptions } from '../lib/options.js';
import { configure } from '../api/queues.js';
import { shown } from '../lib/text.js';

/**
 * The value of a field, as the server takes it.
 *
 * @param {Hf.QueueOption} option
 * @param {HTMLInputElement} field
 */
function valueOf(option, field) {
  if (option.kind === 'boolean') {
    return field.checked;
  }
  return option.kind === 'integer'
    ? field.value === ''
      ? null
      : Number(field.value)
    : field.value;
}

/** Only options that were touched are sent, so that changes by others meanwhile are kept. */
class QueueOptionsDialog extends HfDialog {
  static properties = {
    ...HfDialog.properties,
    groups: { state: true },
    unknown: { state: true },
    name: { state: true },
    touched: { state: true },
  };

  constructor() {
    super();
    /** The queue that is changed; undefined to create one. @type {string | undefined} */
    this.queue = undefined;
    /** @type {Hf.QueueOptions | undefined} */
    this.options = undefined;
    /** @type {Hf.OptionGroup[] | undefined} */
    this.groups = undefined;
    /** @type {unknown} */
    this.unknown = undefined;
    this.name = '';
    /** @type {Hf.QueueOptions} */
    this.touched = {};
  }

  connectedCallback() {
    super.connectedCallback();
    queueOptions().then(
      (groups) => (this.groups = groups),
      (error) => (this.unknown = error),
    );
  }

  get isNew() {
    return this.queue === undefined;
  }

  get large() {
    return true;
  }

  heading() {
    return this.isNew ? 'Create a queue' : `Options of ${shown(this.queue)}`;
  }

  submitLabel() {
    return this.isNew ? 'Create the queue' : 'Save';
  }

  whyNot() {
    if (this.isNew) {
      return this.name === '' ? 'A name is required.' : '';
    }
    return Object.keys(this.touched).length === 0 ? 'No option was changed.' : '';
  }

  content() {
    return html`${this.isNew ? this.nameField() : nothing} ${this.unknown ? problem(this.unknown) : nothing}
    ${this.groups ? this.groups.map((group) => this.group(group)) : this.unknown ? nothing : skeleton(12)}`;
  }

  nameField() {
    return html`<label class="field">
      <span>Name</span>
      <input
        type="text"
        autofocus
        autocomplete="off"
        spellcheck="false"
        data-test="queue-name"
        .value=${this.name}
        @input=${(/** @type {Hf.FieldEvent} */ event) => (this.name = event.target.value)}
      />
      <span class="hint">Any text. A push to a new name creates a queue too, with all options at their defaults.</span>
    </label>`;
  }

  /** @param {Hf.OptionGroup} group */
  group({ title, options }) {
    return html`<fieldset>
      <legend>${title}</legend>
      <div class="options">${options.map((option) => this.field(option))}</div>
    </fieldset>`;
  }

  /** The value it has now: touched, else stored, else the default. @param {Hf.QueueOption} option */
  now({ name, standard }) {
    return this.touched[name] ?? this.options?.[name] ?? standard;
  }

  /** @param {Hf.QueueOption} option */
  field(option) {
    const standard = option.standard === '' ? 'empty' : String(option.standard);
    const hint = html`<span class="hint">${option.text}${option.standard === undefined ? nothing : ` Default: ${standard}.`}</span>`;
    /** @param {Hf.FieldEvent} event */
    const change = (event) => this.touch(option, valueOf(option, event.target));
    const changed = option.name in this.touched ? 'changed' : '';
    if (option.kind === 'boolean') {
      return html`<div class="field ${changed}">
        <label class="check name">
          <input type="checkbox" data-test="option-${option.name}" .checked=${this.now(option) === true} @change=${change} />
          <span>${option.name}</span>
        </label>
        ${hint}
      </div>`;
    }
    return html`<label class="field ${changed}">
      <span class="name">${option.name}</span>
      ${this.input(option, change)} ${hint}
    </label>`;
  }

  /** @param {Hf.QueueOption} option @param {(event: Hf.FieldEvent) => void} change */
  input(option, change) {
    const now = this.now(option);
    if (option.kind === 'word') {
      return html`<select data-test="option-${option.name}" @change=${change}>
        ${(option.words ?? []).map((word) => html`<option .value=${word} .selected=${word === now}>${word}</option>`)}
      </select>`;
    }
    const isNumber = option.kind === 'integer';
    return html`<input
      type=${isNumber ? 'number' : 'text'}
      step=${isNumber ? '1' : nothing}
      min=${option.minimum ?? nothing}
      data-test="option-${option.name}"
      .value=${String(now ?? '')}
      @input=${change}
    />`;
  }

  /** @param {Hf.QueueOption} option @param {Hf.OptionValue} value */
  touch(option, value) {
    const touched = { ...this.touched };
    const stored = this.options?.[option.name] ?? option.standard;
    if (value === stored) {
      delete touched[option.name];
    } else {
      touched[option.name] = value;
    }
    this.touched = touched;
  }

  async work() {
    const queue = this.queue ?? this.name;
    await configure(queue, this.touched);
    return queue;
  }
}

defineDialog('hf-queue-options', QueueOptionsDialog);

/** Makes a queue; promises its name. */
export const createQueue = (name = '') => QueueOptionsDialog.open({ name });

/**
 * Changes a queue's options; promises its name.
 *
 * @param {string} queue
 * @param {Hf.QueueOptions} options
 */
export const configureQueue = (queue, options) => QueueOptionsDialog.open({ queue, options });
