/** One record: its version and its value. */
import { html } from 'lit';
import { HfElement } from '../parts/element.js';
import { failedPage, pageHead, panel } from '../parts/page.js';
import { wholeName } from '../parts/words.js';
import { empty } from '../parts/empty.js';
import { problem, skeleton } from '../parts/notice.js';
import '../parts/command.js';
import '../parts/payload.js';
import { readRecord } from '../api/records.js';
import { isNotFound } from '../lib/api.js';
import { Loader } from '../lib/loader.js';
import { link } from '../lib/route.js';
import { count } from '../lib/format.js';

const EVERY_MS = 3_000;

class RecordPage extends HfElement {
  static properties = { key: { attribute: false } };

  constructor() {
    super();
    this.key = '';
    this.loader = new Loader(this, (signal) => readRecord(this.key, signal), { everyMs: EVERY_MS });
  }

  willUpdate() {
    this.loader.want(this.key);
  }

  render() {
    const { data, error } = this.loader;
    const crumb = { label: 'Records', href: link(['records']) };
    if (isNotFound(error)) {
      return html`${pageHead({ title: wholeName(this.key), crumb })}
        <section class="panel">
          ${empty({ title: 'Record not found', text: 'It was deleted, or the key is wrong.' })}
        </section>`;
    }
    if (!data) {
      return error ? failedPage('Record', error, () => this.loader.refresh()) : skeleton();
    }
    return html`${pageHead({
      crumb,
      title: wholeName(data.key),
      sub: html`<span data-test="record-version">Version ${count(data.version)}</span>`,
    })}
    ${problem(error)}
    ${panel({
      title: 'Value',
      body: html`<div class="body"><hf-payload .json=${data.value} .base64=${data.valueBase64}></hf-payload></div>`,
    })}`;
  }
}

customElements.define('hf-record', RecordPage);
