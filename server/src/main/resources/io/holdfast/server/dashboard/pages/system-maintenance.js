/** The switches that stop pushes or deliveries of the whole broker for a while. */
import { html, nothing } from 'lit';
import { HfElement } from '../parts/element.js';
import { panel } from '../parts/page.js';
import { badge } from '../parts/badge.js';
import { loaded } from '../parts/notice.js';
import { say } from '../parts/toast.js';
import { confirm } from '../dialogs/confirm.js';
import { get, post } from '../lib/api.js';
import { Loader } from '../lib/loader.js';
import { session } from '../lib/session.js';

const EVERY_MS = 10_000;

const SWITCHES = [
  {
    key: 'maintenanceMode',
    path: ['system', 'maintenance'],
    name: 'Pushes',
    stop: 'Stop pushes',
    go: 'Take pushes again',
    what: 'No queue takes messages until you switch it back. Producers are refused with a sentence that says so. Deliveries and acks go on.',
  },
  {
    key: 'popMaintenanceMode',
    path: ['system', 'maintenance', 'pop'],
    name: 'Deliveries',
    stop: 'Stop deliveries',
    go: 'Deliver again',
    what: 'No queue delivers messages until you switch it back. Pushes and acks go on, and what comes is stored.',
  },
];

class Maintenance extends HfElement {
  constructor() {
    super();
    this.loader = new Loader(this, (signal) => get(['system', 'maintenance'], { signal }), { everyMs: EVERY_MS });
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
          ${SWITCHES.map((one) => this.row(one, data[one.key] === true))}
        </ul>`,
        2,
      ),
    });
  }

  row(one, isStopped) {
    const whyNot = session.whyNot('admin');
    return html`<li>
      <strong>${one.name}</strong>
      ${isStopped ? badge('paused') : badge('on')}
      <button
        type="button"
        class="button small"
        data-test="switch-${one.key}"
        ?disabled=${Boolean(whyNot)}
        title=${whyNot || nothing}
        @click=${() => this.change(one, !isStopped)}
      >
        ${isStopped ? one.go : one.stop}
      </button>
    </li>`;
  }

  async change(one, enabled) {
    const act = async () => {
      const { message } = await post(one.path, { enabled });
      say(message ?? (enabled ? `${one.name} are stopped.` : `${one.name} go on.`));
    };
    const done = await confirm({
      title: enabled ? `${one.stop}?` : `${one.go}?`,
      body: html`<p>${enabled ? one.what : `${one.name} of all queues go on at once.`}</p>`,
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
