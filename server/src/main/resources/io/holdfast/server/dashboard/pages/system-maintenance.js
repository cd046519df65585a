/** The switches that stop pushes or deliveries of the whole broker for a while. */
import { html } from 'lit';
import { HfElement } from '../parts/element.js';
import { actButton } from '../parts/button.js';
import { panel } from '../parts/page.js';
import { badge } from '../parts/badge.js';
import { loaded } from '../parts/notice.js';
import { say } from '../parts/toast.js';
import { confirm } from '../dialogs/confirm.js';
import { readMaintenance, setMaintenance } from '../api/system.js';
import { Loader } from '../lib/loader.js';
import { session } from '../lib/session.js';

const EVERY_MS = 10_000;

/** @typedef {{ kind: 'push' | 'pop', test: string, name: string, stop: string, go: string, what: string }} Switch */

/** @type {Switch[]} */
const SWITCHES = [
  {
    kind: 'push',
    test: 'switch-push',
    name: 'Pushes',
    stop: 'Stop pushes',
    go: 'Accept pushes again',
    what: 'All queues refuse pushes until you switch it back. Deliveries and acks continue.',
  },
  {
    kind: 'pop',
    test: 'switch-pop',
    name: 'Deliveries',
    stop: 'Stop deliveries',
    go: 'Deliver again',
    what: 'No queue delivers messages until you switch it back. Pushes and acks continue.',
  },
];

class Maintenance extends HfElement {
  constructor() {
    super();
    this.loader = new Loader(this, (signal) => readMaintenance(signal), { everyMs: EVERY_MS });
    this.loader.want('maintenance');
  }

  render() {
    return panel({
      title: 'Maintenance',
      note: 'For the whole broker; to stop one queue, pause it',
      test: 'maintenance',
      body: loaded(
        this.loader,
        (data) => html`<ul class="plain switches">
          ${SWITCHES.map((one) => this.row(one, data[one.kind]))}
        </ul>`,
        2,
      ),
    });
  }

  /** @param {Switch} one @param {boolean} isStopped */
  row(one, isStopped) {
    return html`<li>
      <strong>${one.name}</strong>
      ${isStopped ? badge('paused') : badge('on')}
      ${actButton({
        label: isStopped ? one.go : one.stop,
        kind: 'small',
        whyNot: session.whyNot('admin'),
        test: one.test,
        act: () => this.change(one, !isStopped),
      })}
    </li>`;
  }

  /** @param {Switch} one @param {boolean} enabled */
  async change(one, enabled) {
    const act = async () => {
      const message = await setMaintenance(one.kind, enabled);
      say(message ?? (enabled ? `${one.name} are stopped.` : `${one.name} continue.`));
    };
    const done = await confirm({
      title: enabled ? `${one.stop}?` : `${one.go}?`,
      body: html`<p>${enabled ? one.what : `${one.name} of all queues continue at once.`}</p>`,
      label: enabled ? one.stop : one.go,
      danger: enabled,
      act,
    });
    if (done) {
      this.loader.refresh();
    }
  }
}

customElements.define('hf-system-maintenance', Maintenance);
