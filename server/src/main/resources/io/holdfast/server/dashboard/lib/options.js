/** The options of a queue, as the server's own description of itself explains them. */

/** @type {[string, string[]][]} */
const GROUPS = [
  [
    'Delivery',
    ['delivery', 'onFailure', 'leaseTime', 'requireLease', 'maxInFlight', 'delayedProcessing', 'windowBuffer'],
  ],
  ['Retries', ['retryLimit', 'retryDelay', 'retryFactor', 'retryDelayMax', 'retryJitter', 'deliveryLimit']],
  ['Dead letters', ['deadLetterQueue', 'dlqAfterMaxRetries', 'deadRetentionSeconds', 'maxWaitTimeSeconds']],
  ['Retention', ['retentionSeconds', 'completedRetentionSeconds', 'ttl', 'maxSize', 'dedupWindowSeconds']],
  ['Metadata', ['namespace', 'task', 'priority', 'track']],
];

/** Other words for options that stand here themselves. */
const DOUBLES = new Set(['retentionEnabled']);

const DEFAULT = /\s*Default: (.*?)\.$/;

/** @type {Promise<Hf.OptionGroup[]> | undefined} */
let loading;

/** The options in their groups. One that the server has and this page does not know is in the last group. */
export function queueOptions() {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load() {
  const response = await fetch('/openapi.json');
  if (!response.ok) {
    throw new Error(`the description of the options was answered ${response.status}`);
  }
  const document = await response.json();
  const body = document.paths['/api/v1/configure'].post.requestBody.content['application/json'].schema;
  /** @type {[string, any][]} */
  const all = Object.entries(body.properties.options.properties);
  const described = all
    .filter(([name, { description }]) => !DOUBLES.has(name) && !description.startsWith('Not supported'))
    .map(([name, schema]) => option(name, schema));
  const known = new Set(GROUPS.flatMap(([, names]) => names));
  const byName = new Map(described.map((one) => [one.name, one]));
  const groups = GROUPS.map(([title, names]) => ({
    title,
    options: names.flatMap((name) => byName.get(name) ?? []),
  }));
  const others = described.filter(({ name }) => !known.has(name));
  return others.length === 0 ? groups : [...groups, { title: 'More', options: others }];
}

/**
 * Each option also accepts null, which means the default: its schema is the union of its own type and null.
 *
 * @param {string} name
 * @param {{ anyOf: { type: string, enum?: string[], minimum?: number }[], description: string }} schema
 * @returns {Hf.QueueOption}
 */
function option(name, { anyOf, description }) {
  const { type, enum: words, minimum } = anyOf.filter((one) => one.type !== 'null')[0];
  const standard = DEFAULT.exec(description)?.[1];
  return {
    name,
    kind: words ? 'word' : type,
    words,
    minimum,
    text: description.replace(DEFAULT, ''),
    standard: standard === undefined ? undefined : JSON.parse(standard),
  };
}
