/** The form for a token, when the server asks for one. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import '../parts/button.js';
import { LOGO } from '../parts/icon.js';
import { notice, problem } from '../parts/notice.js';
import { session } from '../lib/session.js';

/** Dispatches signed-in once the server has accepted the token. */
class SignIn extends HfElement {
  static properties = {
    isOver: { attribute: false },
    token: { state: true },
    busy: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    this.isOver = false;
    /** @type {unknown} */
    this.failure = undefined;
    this.token = '';
    this.busy = false;
  }

  firstUpdated() {
    document.title = 'Sign in · Holdfast';
    this.querySelector('input')?.focus();
  }

  get whyNot() {
    return this.token.trim() === '' ? 'Enter a token.' : '';
  }

  render() {
    const { whyNot } = this;
    return html`<main class="sign-in">
      <section class="panel">
        <h1><img src=${LOGO} alt="" />Holdfast</h1>
        <p class="muted">This broker requires a token.</p>
        ${this.isOver ? notice('is-warn', 'Your session has ended: its token was revoked or expired, the server was restarted, or 12 hours have passed.') : nothing}
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
              @input=${(/** @type {Hf.FieldEvent} */ event) => (this.token = event.target.value)}
            />
            <span class="hint" id="token-hint">
              An administrator creates one with <code>holdfast token create</code>. The browser does not store it: it gets a
              session that lasts 12 hours.
            </span>
          </label>
          ${this.failure ? html`<div class="field">${problem(this.failure)}</div>` : nothing}
          <button type="submit" class="button primary" data-test="sign-in" aria-disabled=${this.busy || whyNot ? 'true' : nothing} data-why=${whyNot || nothing}>
            ${this.busy ? 'Signing in…' : 'Sign in'}${whyNot ? html`<span class="only-read">: ${whyNot}</span>` : nothing}
          </button>
        </form>
      </section>
    </main>`;
  }

  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    if (this.busy || this.whyNot) {
      return;
    }
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
