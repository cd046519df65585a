/** The parent and the children of a flow. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { panel } from '../parts/page.js';
import { badge } from '../parts/badge.js';
import { wholeName, at } from '../parts/words.js';
import { problem, skeleton } from '../parts/notice.js';
import { readTree } from '../api/flows.js';
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
    this.flowId = '';
    /** @type {string | null} */
    this.parent = null;
    this.loader = new Loader(this, (signal) => readTree(this.flowId, signal), { everyMs: EVERY_MS });
  }

  willUpdate() {
    this.loader.want(this.flowId);
  }

  render() {
    const { data, error } = this.loader;
    const isAlone = data && data.children.length === 0 && !this.parent;
    return panel({
      title: 'Parent and children',
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
        ${isAlone ? html`<p class="muted">It has no parent and no children.</p>` : nothing}
      </div>`,
    });
  }

  /**
   * @param {Hf.FlowNode} flow
   * @param {boolean} [isThis]
   * @returns {Hf.Template}
   */
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
            ${flow.children.map((child) => this.node(child))} ${flow.cut ? html`<li class="muted">Further children are not shown.</li>` : nothing}
          </ul>`
          : nothing
      }
    </li>`;
  }
}

customElements.define('hf-flow-tree', FlowTree);
