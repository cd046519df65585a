/** The family of a flow: who waits for it, and whom it waits for. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { panel } from '../parts/page.js';
import { badge } from '../parts/badge.js';
import { wholeName, at } from '../parts/words.js';
import { problem, skeleton } from '../parts/notice.js';
import { get } from '../lib/api.js';
import { Loader } from '../lib/loader.js';
import { toFlow } from '../lib/route.js';

const EVERY_MS = 5_000;

class FlowTree extends HfElement {
  static properties = {
    flowId: { attribute: false },
    parent: { attribute: false },
  };

  constructor() {
    super();
    this.loader = new Loader(this, (signal) => get(['flows', this.flowId, 'tree'], { signal }), { everyMs: EVERY_MS });
  }

  willUpdate() {
    this.loader.want(this.flowId);
  }

  render() {
    const { data, error } = this.loader;
    const isAlone = data && data.children.length === 0 && !this.parent;
    return panel({
      title: 'Family',
      test: 'tree',
      body: html`<div class="body">
        ${problem(error)}
        ${
          data
            ? html`<ul class="tree">
              ${
                this.parent
                  ? html`<li>
                    <div><a href=${toFlow(this.parent)}>${wholeName(this.parent)}</a> <span class="muted">waits for this one</span></div>
                    <ul>
                      ${this.node(data, true)}
                    </ul>
                  </li>`
                  : this.node(data, true)
              }
            </ul>`
            : error
              ? nothing
              : skeleton(3)
        }
        ${isAlone ? html`<p class="muted">It waits for no other flow, and none waits for it.</p>` : nothing}
      </div>`,
    });
  }

  node(flow, isThis = false) {
    return html`<li>
      <div data-test="tree-node">
        ${isThis ? html`<span class="is-this">${wholeName(flow.id)}</span>` : html`<a href=${toFlow(flow.id)}>${wholeName(flow.id)}</a>`}
        <span class="muted">${wholeName(flow.name)}</span>
        ${badge(flow.status)} <span class="muted">since ${at(flow.since)}</span>
      </div>
      ${
        flow.children.length || flow.cut
          ? html`<ul>
            ${flow.children.map((child) => this.node(child))} ${flow.cut ? html`<li class="muted">More of them are left out.</li>` : nothing}
          </ul>`
          : nothing
      }
    </li>`;
  }
}

customElements.define('hf-flow-tree', FlowTree);
