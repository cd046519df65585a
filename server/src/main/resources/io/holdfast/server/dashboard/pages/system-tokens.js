/** The tokens of the server: who may come in, and what each may do. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { actButton } from '../parts/button.js';
import { panel } from '../parts/page.js';
import { name, when } from '../parts/words.js';
import { badge } from '../parts/badge.js';
import { empty } from '../parts/empty.js';
import '../parts/table.js';
import { createToken, revokeToken } from '../dialogs/token-acts.js';
import { listTokens } from '../api/system.js';
import { Loader } from '../lib/loader.js';
import { session } from '../lib/session.js';

class Tokens extends HfElement {
  constructor() {
    super();
    this.loader = new Loader(this, (signal) => listTokens(signal));
    if (session.isGuarded) {
      this.loader.want('tokens');
    }
    /** @type {Hf.Column<Hf.Token>[]} */
    this.columns = [
      { label: 'Name', main: true, wide: true, cell: (row) => name(row.name) },
      { label: 'Id', cell: (row) => html`<code>${row.id}</code>` },
      { label: 'Role', cell: (row) => html`<span class="nowrap">${row.role}</span>` },
      {
        label: 'Queues',
        cell: (row) => (row.queues.includes('*') ? html`<span class="muted">all</span>` : name(row.queues.join(', '))),
      },
      { label: 'State', tight: true, cell: (row) => badge(row.state) },
      { label: 'Created', num: true, cell: (row) => when(row.createdAt) },
      {
        label: 'Expires',
        num: true,
        cell: (row) => (row.expiresAt ? when(row.expiresAt) : html`<span class="muted">never</span>`),
      },
      {
        label: 'Acts',
        bare: true,
        tight: true,
        cell: (row) =>
          row.state === 'good'
            ? html`<button type="button" class="button small danger" data-test="revoke-token" @click=${() => this.then(revokeToken(row))}>Revoke</button>`
            : nothing,
      },
    ];
  }

  /** @param {Promise<unknown>} act */
  async then(act) {
    if (await act) {
      this.loader.refresh();
    }
  }

  render() {
    const { data, error } = this.loader;
    if (!session.isGuarded) {
      return panel({
        title: 'Tokens',
        test: 'tokens',
        body: empty({
          title: 'This server requires no tokens',
          text: 'Anyone who can reach the port has full access. Create a first token, and restart the server with --tokens:',
          line: 'holdfast token create --role admin',
        }),
      });
    }
    return panel({
      title: 'Tokens',
      test: 'tokens',
      acts: actButton({
        label: 'Create a token',
        drawing: icon('plus'),
        kind: 'small',
        test: 'create-token',
        act: () => this.then(createToken()),
      }),
      body: html`<hf-table label="Tokens" test="token-row" .columns=${this.columns} .rows=${data} .error=${error}></hf-table>`,
    });
  }
}

customElements.define('hf-system-tokens', Tokens);
