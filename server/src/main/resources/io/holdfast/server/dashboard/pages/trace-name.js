/** The traces of one name, over all messages. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { pageHead, panel } from '../parts/page.js';
import { wholeName } from '../parts/words.js';
import { empty } from '../parts/empty.js';
import { problem, skeleton } from '../parts/notice.js';
import { offsetPager } from '../parts/pager.js';
import { timeline } from '../parts/timeline.js';
import { traceEntry } from '../parts/trace.js';
import { complain } from '../parts/toast.js';
import '../parts/command.js';
import { idOf } from '../api/messages.js';
import { tracesByName } from '../api/traces.js';
import { Loader } from '../lib/loader.js';
import { go, link } from '../lib/route.js';
import { plural } from '../lib/format.js';

const PAGE = 50;
const EVERY_MS = 5_000;

class TraceName extends HfElement {
  static properties = {
    name: { attribute: false },
    query: { attribute: false },
  };

  constructor() {
    super();
    this.name = '';
    /** @type {Hf.PlaceQuery} */
    this.query = {};
    this.loader = new Loader(
      this,
      (signal) => tracesByName(this.name, { offset: this.offset, limit: PAGE }, signal),
      { everyMs: EVERY_MS },
    );
  }

  get offset() {
    return Number(this.query.offset ?? 0);
  }

  willUpdate() {
    this.loader.want([this.name, this.offset], { keep: true });
  }

  render() {
    const { data, error } = this.loader;
    return html`${pageHead({
      crumb: { label: 'Traces', href: link(['traces']) },
      title: wholeName(this.name),
      sub: data ? `${plural(data.total, 'trace')}, newest first` : undefined,
    })}
    ${problem(error)} ${data ? this.list(data) : error ? nothing : skeleton(8)}`;
  }

  /** @param {{ rows: Hf.Trace[], total: number }} data */
  list({ rows, total }) {
    if (total === 0) {
      return html`<section class="panel">
        ${empty({ title: 'No trace has this name', text: 'The newest 1000 traces of a queue are kept.' })}
      </section>`;
    }
    return panel({
      title: 'Traces',
      test: 'traces',
      body: html`<div class="body">${timeline(rows.map((trace) => this.entry(trace)))}</div>
        ${offsetPager({
          offset: this.offset,
          limit: PAGE,
          shown: rows.length,
          total,
          to: (offset) => go(['traces', this.name], { offset: offset || undefined }),
        })}`,
    });
  }

  /** A trace with the message that it is about. @param {Hf.Trace} trace */
  entry(trace) {
    const entry = traceEntry(trace);
    return {
      ...entry,
      title: html`${entry.title} <button type="button" class="as-link" data-test="trace-message" @click=${() => this.open(trace)}>
          ${wholeName(trace.transactionId ?? '')}
        </button> <span class="muted">in ${wholeName(trace.queue ?? '')}</span>`,
    };
  }

  /** Messages are shown by id, and a trace knows its message by transaction id. @param {Hf.Trace} trace */
  async open({ partitionId = '', transactionId = '' }) {
    try {
      go(['messages', await idOf(partitionId, transactionId)]);
    } catch (error) {
      complain(error);
    }
  }
}

customElements.define('hf-trace-name', TraceName);
