/** The options of a queue with their values and descriptions. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { actButton } from '../parts/button.js';
import { panel } from '../parts/page.js';
import { skeleton, problem } from '../parts/notice.js';
import { wholeName } from '../parts/words.js';
import '../parts/table.js';
import { queueOptions } from '../lib/options.js';
import { session } from '../lib/session.js';
import { count } from '../lib/format.js';

/** @param {Hf.OptionValue} value */
const formatted = (value) =>
  value === ''
    ? 'empty'
    : value === true
      ? 'on'
      : value === false
        ? 'off'
        : typeof value === 'number'
          ? count(value)
          : value;

/** Dispatches edit to change them. */
class QueueSettings extends HfElement {
  static properties = {
    options: { attribute: false },
    groups: { state: true },
    unknown: { state: true },
  };

  constructor() {
    super();
    /** @type {Hf.QueueOptions} */
    this.options = {};
    /** @type {Hf.OptionGroup[] | undefined} */
    this.groups = undefined;
    /** @type {unknown} */
    this.unknown = undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    queueOptions().then(
      (groups) => (this.groups = groups),
      (error) => (this.unknown = error),
    );
  }

  /** @type {Hf.Column<Hf.QueueOption>[]} */
  columns = [
    { label: 'Option', main: true, tight: true, cell: (row) => html`<code>${row.name}</code>` },
    {
      label: 'Value',
      num: true,
      tight: true,
      cell: (row) => {
        const value = this.options[row.name];
        const isStandard = value === row.standard;
        return html`${isStandard ? html`<span class="muted">${wholeName(formatted(value))}</span>` : html`<strong>${wholeName(formatted(value))}</strong>`}`;
      },
    },
    {
      label: 'Default',
      num: true,
      tight: true,
      cell: (row) => html`<span class="muted">${row.standard === undefined ? '–' : formatted(row.standard)}</span>`,
    },
    { label: 'Description', cell: (row) => html`<span class="muted">${row.text}</span>` },
  ];

  render() {
    if (!this.groups) {
      return this.unknown ? problem(this.unknown) : skeleton(10);
    }
    return html`<div class="stack">
      ${this.groups.map((group, at) =>
        panel({
          title: group.title,
          acts:
            at === 0
              ? actButton({
                  label: 'Change options',
                  drawing: icon('gear'),
                  whyNot: session.whyNot('consume'),
                  test: 'change-options',
                  act: () => this.tell('edit'),
                })
              : nothing,
          body: html`<hf-table
            .label=${group.title}
            test="option-row"
            .columns=${[...this.columns]}
            .rows=${group.options}
            .keyOf=${(/** @type {Hf.QueueOption} */ row) => row.name}
          ></hf-table>`,
        }),
      )}
    </div>`;
  }
}

customElements.define('hf-queue-settings', QueueSettings);
