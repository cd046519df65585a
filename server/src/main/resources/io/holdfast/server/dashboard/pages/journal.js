/** One journal: its events by position. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { pageHead, panel } from '../parts/page.js';
import { wholeName } from '../parts/words.js';
import { preview } from '../parts/preview.js';
import { empty } from '../parts/empty.js';
import { curl } from '../parts/command.js';
import { problem, skeleton } from '../parts/notice.js';
import { offsetPager } from '../parts/pager.js';
import '../parts/payload.js';
import { readJournal } from '../api/records.js';
import { Loader } from '../lib/loader.js';
import { go, link } from '../lib/route.js';
import { count, plural } from '../lib/format.js';

const PAGE = 50;
const EVERY_MS = 3_000;

class JournalPage extends HfElement {
  static properties = {
    journal: { attribute: false },
    query: { attribute: false },
  };

  constructor() {
    super();
    this.journal = '';
    /** @type {Hf.PlaceQuery} */
    this.query = {};
    this.loader = new Loader(this, (signal) => readJournal(this.journal, { from: this.from, limit: PAGE }, signal), {
      everyMs: EVERY_MS,
    });
  }

  get from() {
    return Number(this.query.from ?? 0);
  }

  willUpdate() {
    this.loader.want([this.journal, this.from], { keep: true });
  }

  render() {
    const { data, error } = this.loader;
    return html`${pageHead({
      crumb: { label: 'Records and journals', href: link(['records']) },
      title: html`Journal ${wholeName(this.journal)}`,
      sub: data ? html`<span data-test="journal-length">${plural(data.length, 'event')}</span>` : undefined,
    })}
    ${problem(error)} ${data ? this.events(data) : error ? nothing : skeleton(8)}`;
  }

  /** @param {Hf.Journal} data */
  events(data) {
    if (data.length === 0) {
      return html`<section class="panel">
        ${empty({
          title: 'No such journal',
          text: 'A journal is created by the first commit that appends to it.',
          line: curl(['commit'], {
            body: { operations: [{ type: 'append', journal: this.journal, expectedPosition: 0, events: [{ paid: 12 }] }] },
          }),
        })}
      </section>`;
    }
    return panel({
      title: 'Events',
      test: 'journal-events',
      body: html`<ol class="plain journal" start=${data.from}>
          ${data.events.map(
            (event) =>
              html`<li data-test="journal-event">
                <span class="muted number">${count(event.position)}</span>
                <details>
                  <summary>${preview(event)}</summary>
                  <hf-payload .json=${event.data} .base64=${event.dataBase64}></hf-payload>
                </details>
              </li>`,
          )}
        </ol>
        ${offsetPager({
          offset: data.from,
          limit: PAGE,
          shown: data.events.length,
          total: data.length,
          to: (from) => go(['journals', this.journal], { from: from || undefined }),
        })}`,
    });
  }
}

customElements.define('hf-journal', JournalPage);
