/** The signed-in user and their permissions. */
import { isNotFound } from './api.js';
import { closeSession, openSession, whoAmI } from '../api/system.js';

/** Permissions on a server without tokens. */
/** @type {Hf.Who} */
const EVERYBODY = { authentication: false, role: 'admin', access: ['read', 'push', 'consume', 'admin'] };

/** The one session of the page. */
class Session extends EventTarget {
  constructor() {
    super();
    /** @type {Hf.Who | null} */
    this.who = null;
  }

  /** Asks the server; refused with 401 if a token is needed. */
  async load() {
    try {
      this.who = await whoAmI();
    } catch (error) {
      if (!isNotFound(error)) {
        throw error;
      }
      this.who = EVERYBODY;
    }
    this.dispatchEvent(new Event('change'));
  }

  /** @param {string} token */
  async signIn(token) {
    await openSession(token);
    await this.load();
  }

  async signOut() {
    await closeSession();
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

  /**
   * Whether the role goes so far: read, push, consume or admin.
   *
   * @param {Hf.Access} access
   */
  may(access) {
    return this.who?.access?.includes(access) ?? false;
  }

  /**
   * Why something is not open to the role; empty if it is.
   *
   * @param {Hf.Access} access
   */
  whyNot(access) {
    return this.may(access) ? '' : `Your role (${this.role}) does not allow this: it needs ${access} access.`;
  }
}

export const session = new Session();
