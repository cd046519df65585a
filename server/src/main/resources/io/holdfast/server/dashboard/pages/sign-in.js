/** The form for a token, when the server asks for one. */
import { html } from 'lit';
import { HfElement } from '../parts/element.js';
import { problem } from '../parts/notice.js';
import { session } from '../lib/session.js';

/** Tells signed-in once the server has taken the token. */
class SignIn extends HfElement {
  static properties = {
    token: { state: true },
    busy: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    this.token = '';
    this.busy = false;
  }

  firstUpdated() {
    document.title = 'Sign in · Holdfast';
    this.querySelector('input').focus();
  }

  render() {
    return html`<main class="sign-in">
      <section class="panel">
        <h1><img src="/assets/icon.svg" alt="" />Holdfast</h1>
        <p class="muted">This broker wants to know who you are.</p>
        <form @submit=${this.submit}>
          <label class="field">
            <span>Token</span>
            <input
              type="password"
              autocomplete="current-password"
              spellcheck="false"
              placeholder="hf_…"
              aria-describedby="token-hint"
              data-test="token"
              .value=${this.token}
              @input=${(event) => (this.token = event.target.value)}
            />
            <span class="hint" id="token-hint">
              An administrator makes one with <code>holdfast token create</code>. It is not kept in this browser.
            </span>
          </label>
          ${this.failure ? html`<div class="field">${problem(this.failure)}</div>` : ''}
          <button type="submit" class="button primary" data-test="sign-in" ?disabled=${this.busy || this.token.trim() === ''}>
            ${this.busy ? 'Signing in…' : 'Sign in'}
          </button>
        </form>
      </section>
    </main>`;
  }

  async submit(event) {
    event.preventDefault();
    this.busy = true;
    this.failure = undefined;
    try {
      await session.signIn(this.token.trim());
      this.token = '';
      this.tell('signed-in');
    } catch (error) {
      this.failure = error;
    }
    this.busy = false;
  }
}

customElements.define('hf-sign-in', SignIn);
