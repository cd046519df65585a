/** The form for a token, when the server asks for one. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { notice, problem } from '../parts/notice.js';
import { session } from '../lib/session.js';

/** Tells signed-in once the server has taken the token. */
class SignIn extends HfElement {
  static properties = {
    isOver: { attribute: false },
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
        ${this.isOver ? notice('is-warn', 'Your session is over: its token was revoked or has expired, the server was started again, or 12 hours have passed.') : nothing}
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
              An administrator makes one with <code>holdfast token create</code>. This page does not keep it: the server
              remembers this browser for 12 hours.
            </span>
          </label>
          ${this.failure ? html`<div class="field">${problem(this.failure)}</div>` : nothing}
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
