/** All pages of the dashboard, by the first part of their address. */
import { html } from 'lit';

/**
 * @typedef {object} View
 * @property {() => Promise<unknown>} load
 * @property {(place: Hf.Place) => Hf.Template} show
 */

/**
 * Each page is a module of its own, loaded when it is first opened; `one` shows the thing that the second part of an
 * address names.
 *
 * @type {Record<string, { title: string, load?: View['load'], show?: View['show'], one?: View }>}
 */
export const PAGES = {
  overview: {
    title: 'Overview',
    load: () => import('./overview.js'),
    show: () => html`<hf-overview></hf-overview>`,
  },
  queues: {
    title: 'Queues',
    load: () => import('./queues.js'),
    show: (place) => html`<hf-queues .query=${place.query}></hf-queues>`,
    one: {
      load: () => import('./queue.js'),
      show: (place) => html`<hf-queue .name=${place.parts[1]} .query=${place.query}></hf-queue>`,
    },
  },
  messages: {
    title: 'Message',
    one: {
      load: () => import('./message.js'),
      show: (place) => html`<hf-message .messageId=${place.parts[1]}></hf-message>`,
    },
  },
  dead: {
    title: 'Dead letters',
    load: () => import('./dead.js'),
    show: (place) => html`<hf-dead .query=${place.query}></hf-dead>`,
  },
  tasks: {
    title: 'Tasks',
    load: () => import('./tasks.js'),
    show: (place) => html`<hf-tasks .query=${place.query}></hf-tasks>`,
    one: {
      load: () => import('./task.js'),
      show: (place) => html`<hf-task .taskId=${place.parts[1]}></hf-task>`,
    },
  },
  flows: {
    title: 'Flows',
    load: () => import('./flows.js'),
    show: (place) => html`<hf-flows .query=${place.query}></hf-flows>`,
    one: {
      load: () => import('./flow.js'),
      show: (place) => html`<hf-flow .flowId=${place.parts[1]} .query=${place.query}></hf-flow>`,
    },
  },
  groups: {
    title: 'Groups',
    load: () => import('./groups.js'),
    show: (place) => html`<hf-groups .query=${place.query}></hf-groups>`,
  },
  records: {
    title: 'Records',
    load: () => import('./records.js'),
    show: (place) => html`<hf-records .query=${place.query}></hf-records>`,
    one: {
      load: () => import('./record.js'),
      show: (place) => html`<hf-record .key=${place.parts[1]}></hf-record>`,
    },
  },
  journals: {
    title: 'Journal',
    one: {
      load: () => import('./journal.js'),
      show: (place) => html`<hf-journal .journal=${place.parts[1]} .query=${place.query}></hf-journal>`,
    },
  },
  traces: {
    title: 'Traces',
    load: () => import('./traces.js'),
    show: (place) => html`<hf-traces .query=${place.query}></hf-traces>`,
    one: {
      load: () => import('./trace-name.js'),
      show: (place) => html`<hf-trace-name .name=${place.parts[1]} .query=${place.query}></hf-trace-name>`,
    },
  },
  system: { title: 'System', load: () => import('./system.js'), show: () => html`<hf-system></hf-system>` },
};
