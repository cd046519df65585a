/** All pages of the dashboard, by the first part of their address. */
import { html } from 'lit';

/**
 * Each page is a module of its own, loaded when it is first wanted; one is what the second part of an address names.
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
  system: { title: 'System', load: () => import('./system.js'), show: () => html`<hf-system></hf-system>` },
};
