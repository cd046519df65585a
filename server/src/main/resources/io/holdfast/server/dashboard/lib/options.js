/** The options of a queue, as the server's own description of itself explains them. */

const GROUPS = [
  [
    'Delivery',
    ['delivery', 'onFailure', 'leaseTime', 'requireLease', 'maxInFlight', 'delayedProcessing', 'windowBuffer'],
  ],
  ['Retries', ['retryLimit', 'retryDelay', 'retryFactor', 'retryDelayMax', 'retryJitter', 'deliveryLimit']],
  ['Dead letters', ['deadLetterQueue', 'dlqAfterMaxRetries', 'deadRetentionSeconds', 'maxWaitTimeSeconds']],
  ['Keeping', ['retentionSeconds', 'completedRetentionSeconds', 'ttl', 'maxSize', 'dedupWindowSeconds']],
  ['Belonging', ['namespace', 'task', 'priority', 'track']],
];

/** Other words for options that stand here themselves. */
const DOUBLES = new Set(['retentionEnabled']);

const DEFAULT = /\s*Default: (.*?)\.$/;

let loading;

/**
 * The options in their groups: [{title, options: [{name, kind, words, text, standard}]}]. One that the server
 * has and this page does not know is in the last group.
 */
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
  const described = Object.entries(body.properties.options.properties)
    .filter(([name, { description }]) => !DOUBLES.has(name) && !description.startsWith('Not supported'))
    .map(([name, schema]) => option(name, schema));
  const known = new Set(GROUPS.flatMap(([, names]) => names));
  const byName = new Map(described.map((one) => [one.name, one]));
  const groups = GROUPS.map(([title, names]) => ({
    title,
    options: names.map((name) => byName.get(name)).filter(Boolean),
  }));
  const others = described.filter(({ name }) => !known.has(name));
  return others.length === 0 ? groups : [...groups, { title: 'More', options: others }];
}

function option(name, { type, enum: words, description }) {
  const standard = DEFAULT.exec(description)?.[1];
  return {
    name,
    kind: words ? 'word' : (type ?? 'string'),
    words,
    text: description.replace(DEFAULT, ''),
    standard: standard === undefined ? undefined : JSON.parse(standard),
  };
}
