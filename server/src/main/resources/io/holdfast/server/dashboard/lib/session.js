/** Who looks at the page, and what the server lets that one do. */
import { get, post, remove } from './api.js';

/** What those may do whom nobody asks for a token. */
const EVERYBODY = { authentication: false, role: 'admin', access: ['read', 'push', 'consume', 'admin'] };

/** What an access is, as a sentence has it. */
const WORDS = { read: 'look', push: 'push', consume: 'consume', admin: 'administer' };

/** The one session of the page. */
class Session extends EventTarget {
  constructor() {
    super();
    this.who = null;
  }

  /** Asks the server; refused with 401 if a token is needed. */
  async load() {
    try {
      this.who = await get(['whoami']);
    } catch (error) {
      if (error.status !== 404) {
        throw error;
      }
      this.who = EVERYBODY;
    }
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
    return this.who?.authentication === true;
  }

  get role() {
    return this.who?.role ?? '';
  }

  /** Whether all queues may be seen. */
  get isUnlimited() {
    return !this.who?.queues || this.who.queues.includes('*');
  }

  /** Whether the role goes so far: read, push, consume or admin. */
  may(access) {
    return this.who?.access?.includes(access) ?? false;
  }

  /** Why something is not open to the role; empty if it is. */
  whyNot(access) {
    return this.may(access) ? '' : `Your role, ${this.role}, may not ${WORDS[access]}.`;
  }
}

export const session = new Session();
