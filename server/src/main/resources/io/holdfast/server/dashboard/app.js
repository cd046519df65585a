/** The frame of the dashboard: top bar, navigation, and the page that the address names. */
import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { HfElement } from './parts/element.js';
import { icon, LOGO } from './parts/icon.js';
import { problem, skeleton } from './parts/notice.js';
import './parts/command.js';
import './parts/search.js';
import './parts/toast.js';
import { parse, link } from './lib/route.js';
import { session } from './lib/session.js';
import { ApiError, signInNeeded } from './lib/api.js';
import { live, LiveTicks } from './lib/live.js';
import { theme, nextTheme, setTheme } from './lib/theme.js';
import { short } from './lib/format.js';
import { shown } from './lib/text.js';
import { PAGES } from './pages/all.js';

const NAVIGATION = ['overview', 'queues', 'dead', 'tasks', 'flows', 'groups', 'records', 'traces', null, 'system'];

/** Pages that are reached from a list with another address. @type {Record<string, string>} */
const BELONGS = { messages: 'queues', journals: 'records' };

/** @type {Record<string, string>} */
const THEME_WORDS = { auto: 'system', light: 'light', dark: 'dark' };

class App extends HfElement {
  static properties = {
    place: { state: true },
    state: { state: true },
    failure: { state: true },
    menuOpen: { state: true },
    loadedPage: { state: true },
  };

  constructor() {
    super();
    this.ticks = new LiveTicks(this);
    this.place = parse(location.hash);
    /** @type {'starting' | 'ready' | 'failed' | 'signing-in'} */
    this.state = 'starting';
    /** @type {unknown} */
    this.failure = undefined;
    this.menuOpen = false;
    this.isOver = false;
    /** @type {import('./pages/all.js').View | undefined} */
    this.loadedPage = undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('hashchange', () => this.moved());
    addEventListener('keydown', (event) => event.key === 'Escape' && (this.menuOpen = false));
    session.addEventListener('change', () => this.requestUpdate());
    signInNeeded.addEventListener('needed', () => this.signedOut());
    this.begin();
  }

  /** Asks who we are, then shows the page; or the form to sign in. */
  async begin() {
    this.failure = undefined;
    // Its scripts come while the server is asked; what goes wrong with them shows when they are wanted.
    this.view?.load().catch(() => {});
    try {
      await session.load();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) {
        this.failure = error;
        this.state = 'failed';
      }
      return;
    }
    this.state = 'ready';
    if (session.may('read')) {
      live.start();
    }
    this.showPage();
  }

  /** @param {{ isAsked?: boolean }} [options] whether the user wanted it */
  async signedOut({ isAsked = false } = {}) {
    if (this.state === 'signing-in') {
      return;
    }
    // The sign-in form says so if a session has ended.
    this.isOver = this.state === 'ready' && !isAsked;
    live.end();
    this.state = 'signing-in';
    for (const box of document.querySelectorAll('dialog')) {
      box.close();
    }
    await import('./pages/sign-in.js');
  }

  moved() {
    const before = this.place;
    this.place = parse(location.hash);
    this.menuOpen = false;
    if (this.state === 'ready') {
      const isOther = before.parts.join('/') !== this.place.parts.join('/');
      this.showPage(isOther);
    }
  }

  get page() {
    const [id = 'overview'] = this.place.parts;
    return Object.hasOwn(PAGES, id) ? PAGES[id] : undefined;
  }

  /** The list, or the one thing that the address names. */
  get view() {
    const { length } = this.place.parts;
    if (length > 2) {
      return undefined;
    }
    const { page } = this;
    if (length === 2) {
      return page?.one;
    }
    return page?.load && page.show ? /** @type {import('./pages/all.js').View} */ (page) : undefined;
  }

  async showPage(isOther = false) {
    const { view } = this;
    document.title = `${shown(this.place.parts[1] ?? this.page?.title ?? 'Not found')} · Holdfast`;
    if (this.place.parts[0] !== 'queues' || this.place.parts.length < 2) {
      live.watch(null);
    }
    if (view) {
      try {
        await view.load();
      } catch (error) {
        this.failure = error;
        return;
      }
    }
    this.loadedPage = view;
    if (isOther) {
      scrollTo(0, 0);
      await this.updateComplete;
      // Screen readers announce the heading; a page that is still loading has none.
      /** @type {HTMLElement | null} */
      const heading = this.querySelector('main h1') ?? this.querySelector('main');
      heading?.focus({ preventScroll: true });
    }
  }

  render() {
    if (this.state === 'signing-in') {
      return html`<hf-sign-in .isOver=${this.isOver} @signed-in=${() => this.begin()}></hf-sign-in><hf-toasts></hf-toasts>`;
    }
    return html`<a class="skip" href="#content" @click=${this.skip}>Skip to the content</a>
      ${this.bar()}
      <div class="frame">
        ${this.side()}
        <main id="content" tabindex="-1">${this.content()}</main>
      </div>
      <hf-toasts></hf-toasts>`;
  }

  /** @param {Event} event */
  skip(event) {
    event.preventDefault();
    this.querySelector('main')?.focus();
  }

  bar() {
    const next = nextTheme();
    return html`<header class="bar">
      <button
        type="button"
        class="button quiet only-icon menu-button"
        aria-label="Navigation"
        aria-expanded=${this.menuOpen}
        data-test="navigation"
        @click=${() => (this.menuOpen = !this.menuOpen)}
      >
        ${icon(this.menuOpen ? 'close' : 'menu')}
      </button>
      <a class="brand" href="#/" aria-label="Holdfast, to the overview"><img src=${LOGO} alt="" /><span>Holdfast</span></a>
      <hf-search></hf-search>
      <span class="spring"></span>
      ${this.liveSign()}
      <button
        type="button"
        class="button quiet only-icon"
        aria-label="Colours: ${THEME_WORDS[theme()]}. Change to ${THEME_WORDS[next]}."
        title="Colours: ${THEME_WORDS[theme()]}"
        data-test="theme"
        @click=${() => {
          setTheme(next);
          this.requestUpdate();
        }}
      >
        ${icon(theme())}
      </button>
      ${this.who()}
    </header>`;
  }

  liveSign() {
    /** @type {Record<typeof live.state, string>} */
    const words = { live: 'Live', waiting: 'Reconnecting', connecting: 'Connecting', off: 'Not connected' };
    return html`<span class="live is-${live.state}" role="status" title=${words[live.state]} data-test="live" data-state=${live.state}>
      <span class="dot"></span><span class="word">${words[live.state]}</span>
    </span>`;
  }

  who() {
    if (!session.isGuarded) {
      return nothing;
    }
    return html`<span class="who" data-test="who">
      <span class="word muted">${session.who?.name} (${session.role})</span>
      <button type="button" class="button quiet only-icon" aria-label="Sign out" title="Sign out" data-test="sign-out" @click=${this.signOut}>
        ${icon('leave')}
      </button>
    </span>`;
  }

  async signOut() {
    try {
      await session.signOut();
    } finally {
      this.signedOut({ isAsked: true });
    }
  }

  side() {
    const [first = 'overview'] = this.place.parts;
    const on = BELONGS[first] ?? first;
    return html`<nav class="side ${this.menuOpen ? 'is-open' : ''}" aria-label="Main">
        ${NAVIGATION.map((id) =>
          id === null
            ? html`<hr />`
            : html`<a
                href=${id === 'overview' ? '#/' : link([id])}
                aria-current=${on === id ? 'page' : nothing}
                data-test="nav-${id}"
                @click=${() => (this.menuOpen = false)}
                >${icon(id)}<span>${PAGES[id].title}</span>${this.tally(id)}</a
              >`,
        )}
      </nav>
      <div class="side-shade" @click=${() => (this.menuOpen = false)}></div>`;
  }

  /** @param {string} id */
  tally(id) {
    const now = live.tick?.now;
    if (!now) {
      return nothing;
    }
    if (id === 'queues') {
      return html`<span class="tally">${short(now.queues)}</span>`;
    }
    if (id === 'dead' && now.dead > 0) {
      return html`<span class="tally is-bad">${short(now.dead)}</span>`;
    }
    return id === 'groups' ? html`<span class="tally">${short(now.groups)}</span>` : nothing;
  }

  content() {
    if (this.failure) {
      return problem(this.failure, () => void this.begin());
    }
    if (this.state === 'starting') {
      return skeleton(8);
    }
    if (!session.may('read')) {
      return html`<h1 tabindex="-1">This token cannot read</h1>
        <p class="muted" data-test="blind">
          ${session.whyNot('read')} Sign out, and sign in with a token of the role read-only, read-write or admin.
        </p>`;
    }
    const { view } = this;
    if (!view) {
      return html`<h1 tabindex="-1">Page not found</h1>
        <p class="muted">Choose a page in the navigation, or go to <a href="#/">the overview</a>.</p>`;
    }
    return this.loadedPage === view ? keyed(this.place.parts.join('/'), view.show(this.place)) : skeleton(8);
  }
}

customElements.define('hf-app', App);
