/** The form for a queue's options: to make one, or to change one. Each option says what it does. */
import { html, nothing } from 'lit';
import { HfDialog, defineDialog } from '../parts/dialog.js';
import { skeleton, problem } from '../parts/notice.js';
import { queueOptions } from '../lib/options.js';
import { post } from '../lib/api.js';
import { shown } from '../lib/text.js';

/** What a field holds, as the server takes it. */
function valueOf(option, field) {
  if (option.kind === 'boolean') {
    return field.checked;
  }
  return option.kind === 'integer' || option.kind === 'number'
    ? field.value === ''
      ? null
      : Number(field.value)
    : field.value;
}

/**
 * Properties: queue and options of one that is to be changed; neither to make one.
 *
 * Only options that were touched are sent, so that what others change meanwhile stays.
 */
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
    this.name = '';
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

  isReady() {
    return this.isNew ? this.name !== '' : Object.keys(this.touched).length > 0;
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
        @input=${(event) => (this.name = event.target.value)}
      />
      <span class="hint">Any text. A push to a name that is new makes a queue as well, with all options at their defaults.</span>
    </label>`;
  }

  group({ title, options }) {
    return html`<fieldset>
      <legend>${title}</legend>
      <div class="options">${options.map((option) => this.field(option))}</div>
    </fieldset>`;
  }

  /** The value it has now: touched, else stored, else the default. */
  now({ name, standard }) {
    return this.touched[name] ?? this.options?.[name] ?? standard;
  }

  field(option) {
    const standard = option.standard === '' ? 'empty' : String(option.standard);
    const hint = html`<span class="hint">${option.text}${option.standard === undefined ? nothing : ` Default: ${standard}.`}</span>`;
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

  input(option, change) {
    const now = this.now(option);
    if (option.kind === 'word') {
      return html`<select data-test="option-${option.name}" @change=${change}>
        ${option.words.map((word) => html`<option .value=${word} .selected=${word === now}>${word}</option>`)}
      </select>`;
    }
    const isNumber = option.kind === 'integer' || option.kind === 'number';
    return html`<input
      type=${isNumber ? 'number' : 'text'}
      step=${isNumber ? '1' : nothing}
      min=${isNumber ? '0' : nothing}
      data-test="option-${option.name}"
      .value=${String(now ?? '')}
      @input=${change}
    />`;
  }

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
    const queue = this.isNew ? this.name : this.queue;
    await post(['configure'], { queue, options: this.touched });
    return queue;
  }
}

defineDialog('hf-queue-options', QueueOptionsDialog);

/** Makes a queue; promises its name. */
export const createQueue = (name = '') => QueueOptionsDialog.open({ name });

/** Changes a queue's options; promises its name. */
export const configureQueue = (queue, options) => QueueOptionsDialog.open({ queue, options });
