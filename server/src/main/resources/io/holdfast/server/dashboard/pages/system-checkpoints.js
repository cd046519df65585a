/** Checkpoints: consistent copies of all data, made while the broker runs. */
import { html } from 'lit';
import { HfElement } from '../parts/element.js';
import { icon } from '../parts/icon.js';
import { actButton } from '../parts/button.js';
import { panel } from '../parts/page.js';
import { name, when } from '../parts/words.js';
import { empty } from '../parts/empty.js';
import '../parts/table.js';
import { makeCheckpoint } from '../dialogs/checkpoint.js';
import { listCheckpoints } from '../api/system.js';
import { ApiError, sentence } from '../lib/api.js';
import { Loader } from '../lib/loader.js';
import { bytes } from '../lib/format.js';

/** @type {Hf.Column<Hf.Checkpoint>[]} */
const COLUMNS = [
  { label: 'Name', main: true, wide: true, cell: (row) => name(row.name) },
  { label: 'Size', num: true, cell: (row) => bytes(row.bytes) },
  { label: 'Created', num: true, cell: (row) => when(row.createdAt) },
  { label: 'Directory on the server', rest: true, cell: (row) => name(row.directory) },
];

class Checkpoints extends HfElement {
  constructor() {
    super();
    this.loader = new Loader(this, async (signal) => (await listCheckpoints(signal)).reverse());
    this.loader.want('checkpoints');
  }

  render() {
    const { data, error } = this.loader;
    const whyNot = error instanceof ApiError && error.code === 'UNSUPPORTED' ? sentence(error) : '';
    return panel({
      title: 'Checkpoints',
      note: 'Copies of all data, to restore from',
      test: 'checkpoints',
      acts: actButton({
        label: 'Make a checkpoint',
        drawing: icon('copy'),
        kind: 'small',
        whyNot,
        test: 'make-checkpoint',
        act: () => this.make(),
      }),
      body: html`<hf-table
        label="Checkpoints"
        test="checkpoint-row"
        .columns=${COLUMNS}
        .rows=${whyNot ? [] : data}
        .error=${whyNot ? undefined : error}
        .keyOf=${(/** @type {Hf.Checkpoint} */ row) => row.name}
        .empty=${empty({
          title: 'No checkpoints',
          text: whyNot || 'A checkpoint is a directory on the server with all data as of one moment. The broker keeps running meanwhile.',
        })}
      ></hf-table>`,
    });
  }

  async make() {
    if (await makeCheckpoint()) {
      this.loader.refresh();
    }
  }
}

customElements.define('hf-system-checkpoints', Checkpoints);
