/** Who looks at the page, and what the server lets that one do. */
import { get, post, remove } from './api.js';

/** What a role may, weakest first: each may also do what stands before it. */
const LADDER = ['public', 'read', 'push', 'consume', 'admin'];

/** The one session of the page. */
class Session extends EventTarget {
  constructor() {
    super();
    this.who = null;
  }

  /** Asks the server; refused with 401 if a token is needed. */
  async load() {
    this.who = await get(['whoami']);
    this.dispatchEvent(new Event('change'));
  }

  async signIn(token) {
    await post(['session'], { token });
    await this.load();
  }

  async signOut() {
    await remove(['session']);
    this.who = null;
    this.dispatchEvent(new Event('change'));
  }

  /** Whether callers must say who they are. */
  get isGuarded() {
    return this.who?.auth === true;
  }

  get role() {
    return this.who?.role ?? 'admin';
  }

  /** Whether the role goes so far: read, push, consume or admin. */
  may(access) {
    const rights = this.who?.access;
    if (Array.isArray(rights)) {
      return rights.includes(access);
    }
    return LADDER.indexOf(this.role) >= LADDER.indexOf(access);
  }

  /** Why something is not open to the role; empty if it is. */
  whyNot(access) {
    return this.may(access) ? '' : `This needs the right to ${access}; your role is ${this.role}.`;
  }
}

export const session = new Session();
