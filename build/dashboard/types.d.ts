/** Types of the dashboard: the server's answers as the functions in api/ return them, and the parts of pages. */
declare namespace Hf {
  /** ISO-8601 with zone, or epoch milliseconds. */
  type Time = string | number;
  type MaybeTime = Time | null | undefined;
  type Query = Record<string, unknown>;
  /** The parameters of an address. */
  type PlaceQuery = Record<string, string | undefined>;
  interface Place {
    parts: string[];
    query: PlaceQuery;
  }
  interface Page<T> {
    rows: T[];
    next: string | null;
  }
  interface Options {
    query?: Query;
    body?: unknown;
    signal?: AbortSignal;
    /** Whether payloads are kept as the text they were sent as. */
    keep?: boolean;
  }

  // Answers

  type MessageState = 'waiting' | 'in_flight' | 'returned' | 'delayed' | 'settled' | 'dead';
  interface Counts {
    waiting: number;
    inFlight: number;
    returned: number;
    delayed: number;
    dead: number;
    oldestMs?: number;
  }
  interface QueueRow extends Counts {
    name: string;
    namespace: string;
    task: string;
    paused: boolean;
    partitions: number;
    groups: number;
    bytes: number;
    oldestMs: number;
    lag: number;
    pushPerSecond: number;
    popPerSecond: number;
    ackPerSecond: number;
    nackPerSecond?: number;
  }
  interface QueueList {
    rows: QueueRow[];
    total: number;
    offset: number;
  }
  type OptionValue = string | number | boolean | null;
  type QueueOptions = Record<string, OptionValue>;
  interface QueueNow extends Counts {
    pushPerSecond?: number;
    popPerSecond?: number;
    ackPerSecond?: number;
    nackPerSecond?: number;
  }
  interface QueueInfo {
    name: string;
    namespace: string;
    task: string;
    createdAt: Time;
    paused: boolean;
    groups: number;
    partitions: number;
    options: QueueOptions;
    counts: Counts & { bytes: number; stored: number };
  }
  interface Lane {
    priority: number;
    waiting: number;
  }
  interface PartitionRow {
    id: string;
    name: string;
    waiting: number;
    inFlight: number;
    returned?: number;
    delayed?: number;
    bytes?: number;
    lanes?: Lane[];
    lastPushAt?: Time;
  }
  interface LeaseRow {
    leaseId: string;
    group: string;
    worker: string | null;
    partition: string;
    partitions: number;
    since: Time;
    until: Time;
    open: number;
  }
  interface GroupRow {
    name: string;
    queue: string;
    leases: number;
    lag: number;
    behindMs: number;
    state: 'Stable' | 'Lagging' | 'Idle';
    startMode: string;
    createdAt: Time;
    waiting: number;
    returned: number;
    inFlight: number;
    dead: number;
  }
  interface LaggingRow {
    name: string;
    queue: string;
    lag: number;
    behindMs: number;
    oldestAt: Time;
  }
  interface Payload {
    /** JSON text as it was sent; null if there is none. */
    data?: string | null;
    dataBase64?: string;
    dataProblem?: string;
  }
  interface MessageRow extends Payload {
    id: string;
    transactionId: string;
    partitionId: string;
    queue: string;
    partition: string;
    priority: number;
    seq: number;
    createdAt: Time;
    visibleAt: Time;
    state: MessageState;
    retryCount: number;
    headers?: Record<string, string>;
  }
  interface Attempt {
    number: number;
    cause: string;
    worker: string | null;
    leasedAt: Time;
    endedAt: Time;
    error: string | null;
  }
  interface MessageGroup {
    consumerGroup: string;
    state: MessageState;
    explain: string;
    retryCount: number;
    visibleAt: MaybeTime;
    leaseId: string | null;
    worker: string | null;
    leaseExpiresAt: MaybeTime;
    attempts: Attempt[];
  }
  interface Message extends Payload {
    id: string;
    transactionId: string | null;
    queue: string;
    partition: string;
    partitionId: string;
    priority: number;
    seq: number;
    createdAt: Time;
    visibleAt: Time;
    explain: string;
    groups: MessageGroup[];
    headers: Record<string, string>;
  }
  /** A message that a pop leased. */
  interface Leased extends Payload {
    id: string;
    transactionId: string;
    partition: string;
    partitionId: string;
    leaseId: string;
    priority: number;
    seq: number;
    headers?: Record<string, string>;
  }
  interface DeadLetter extends Payload {
    id: string;
    queue: string;
    partition: string;
    consumerGroup: string;
    error: string | null;
    retryCount: number;
    diedAt: Time;
  }
  interface DeadFilter {
    queue?: string;
    consumerGroup?: string;
    partition?: string;
    messageId?: string;
    error?: string;
    from?: string;
    to?: string;
  }
  interface DeadError {
    error: string;
    sample: string;
    queue: string;
    count: number;
    first: Time;
    last: Time;
    messageId: string;
  }
  interface DeadErrors {
    rows: DeadError[];
    total: number;
    complete: boolean;
  }
  interface Job {
    id: string;
    kind: string;
    queue: string;
    total: number;
    done: number;
    state: 'running' | 'done' | 'cancelled' | 'failed';
    startedAt: Time;
    endedAt: MaybeTime;
    error: string | null;
  }
  type TaskStatus = 'Queued' | 'Received' | 'Running' | 'Complete' | 'Failed' | 'Dead';
  interface TaskGroup {
    consumerGroup: string;
    status: TaskStatus;
    worker: string | null;
    attempts: number;
  }
  interface Task {
    id: string;
    queue: string;
    partition: string;
    transactionId: string | null;
    status: TaskStatus;
    publishedAt: Time;
    receivedAt: Time | null;
    startedAt: Time | null;
    endedAt: Time | null;
    worker: string | null;
    attempts: number;
    error: string | null;
    groups: TaskGroup[];
  }
  interface TaskWorker {
    worker: string;
    tasks: number;
    attempts: number;
    lastAt: Time;
    statuses: Record<TaskStatus, number>;
  }
  interface TaskCounts {
    tasks: number;
    complete: boolean;
    statuses: Record<TaskStatus, number>;
    attempts: number;
    retried: number;
    waitMs: number;
    workMs: number;
    workers: TaskWorker[];
  }
  type FlowStatus =
    | 'pending' | 'running' | 'suspended' | 'blocked' | 'completed' | 'failed' | 'cancelled' | 'terminated';
  interface FlowRow {
    id: string;
    name: string;
    version: string | null;
    status: FlowStatus;
    startedAt: Time;
    since: Time;
    hasParent: boolean;
  }
  interface FlowWorkRow extends Counts {
    queue: string;
    tag: string | null;
  }
  interface FlowCounts {
    flows: Record<FlowStatus, number>;
    exact: boolean;
    queues: FlowWorkRow[];
  }
  interface Failure {
    type: string;
    message: string;
    stack: string | null;
  }
  interface FlowWork {
    deaths: number;
    worker: string | null;
    error: string | null;
    explain: string;
  }
  interface FlowWait {
    kind: string;
    name: string;
    since: Time;
    dueAt: Time | null;
    flow: string | null;
    flowStatus: FlowStatus | null;
    work: FlowWork | null;
  }
  interface Execution {
    number: number;
  }
  interface Flow {
    id: string;
    name: string;
    version: string | null;
    status: FlowStatus;
    startedAt: Time;
    since: Time;
    label: string | null;
    reason: string | null;
    messagesKept: number;
    parent: string | null;
    failure: Failure | null;
    output: string | null;
    outputBase64?: string;
    events: number;
    unreadable: string | null;
    waitsFor: FlowWait[];
    waitsForInAll: number;
    executions: Execution[];
  }
  interface FlowNode {
    id: string;
    name: string;
    status: FlowStatus;
    since: Time;
    cut: boolean;
    children: FlowNode[];
  }
  interface FlowEvent {
    number: number;
    time: Time | null;
    kind: string;
    words: string;
    task: number | null;
    failure: Failure | null;
    payload: string | null;
    payloadBase64?: string;
  }
  interface FlowHistory {
    execution: number;
    length: number;
    events: FlowEvent[];
    next: number | null;
  }
  interface Attention {
    kind: string;
    text: string;
    queue?: string;
    group?: string;
    count?: number;
    since?: number;
  }
  interface Rates {
    push?: number;
    pop?: number;
    ack?: number;
    nack?: number;
  }
  interface Store {
    durability: string;
    fsyncMs: number;
    fsyncPerSecond: number;
    diskBytes: number | null;
    diskFreeBytes: number | null;
  }
  interface Memory {
    heapUsed: number;
    heapMax: number;
    rss: number | null;
  }
  interface Tick {
    time: number;
    rates: Rates;
    now: Counts & {
      queues: number;
      partitions: number;
      groups: number;
      leases?: number;
      parked?: number;
      oldestMs: number;
    };
    store?: Store;
    memory?: Memory;
    attention: Attention[];
    queue?: QueueRow | null;
  }
  interface Point extends Rates {
    time: number;
    waiting: number;
    inFlight: number;
    delayed: number;
    dead: number;
    oldestMs: number;
  }
  interface SeriesData {
    from: number;
    to: number;
    points: Point[];
  }
  type Access = 'read' | 'push' | 'consume' | 'admin';
  interface Who {
    authentication: boolean;
    name?: string;
    role: string;
    access: Access[];
    queues?: string[];
  }
  interface Token {
    id: string;
    name: string;
    role: string;
    queues: string[];
    createdAt: Time;
    expiresAt: Time | null;
    state: 'good' | 'expired' | 'revoked';
  }
  interface Checkpoint {
    name: string;
    directory: string;
    bytes: number;
    createdAt: Time;
  }
  interface RecordRow {
    key: string;
    version: number;
    value: string | null;
    valueBase64?: string;
  }
  interface JournalEvent extends Payload {
    position: number;
  }
  interface Journal {
    journal: string;
    from: number;
    length: number;
    events: JournalEvent[];
  }
  interface Trace extends Payload {
    id: string;
    kind: string;
    group: string | null;
    createdAt: Time;
    names: string[];
    /** Of traces by name: the message that each is about. */
    transactionId?: string;
    partitionId?: string;
    queue?: string;
    partition?: string;
  }
  interface TraceName {
    name: string;
    traces: number;
    messages: number;
    lastAt: Time;
  }

  // Parts of pages

  type Content = unknown;
  type Template = import('lit').TemplateResult;
  type Tone = '' | 'is-bad' | 'is-warn' | 'is-good' | 'is-info';
  interface Column<T> {
    label: string;
    cell: (row: T) => Content;
    /** Right-aligned. */
    num?: boolean;
    /** The name to sort by. */
    sort?: string;
    /** The order of a first click. */
    first?: 'asc' | 'desc';
    /** The head of a card. */
    main?: boolean;
    wide?: boolean;
    tight?: boolean;
    /** Takes the room that the others leave. */
    rest?: boolean;
    /** No label in a card. */
    bare?: boolean;
    hint?: string;
  }
  interface MenuItem {
    label: string;
    icon: string;
    act: () => unknown;
    danger?: boolean;
    test?: string;
    /** Why it cannot be used now; empty if it can. */
    whyNot?: string;
  }
  interface TimelineEntry {
    title: Content;
    time?: MaybeTime;
    icon?: string;
    tone?: string;
    /** Beside the title. */
    note?: Content;
    /** Below it. */
    more?: Content;
    /** Has not happened yet. */
    open?: boolean;
  }
  interface ChartSeries {
    key: keyof Point;
    label: string;
    colour: number;
    dashed?: boolean;
    filled?: boolean;
  }
  interface QueueOption {
    name: string;
    kind: string;
    words?: string[];
    minimum?: number;
    text: string;
    standard: OptionValue | undefined;
  }
  interface OptionGroup {
    title: string;
    options: QueueOption[];
  }
  /** An event of a field. */
  type FieldEvent = Event & { target: HTMLInputElement };
  type Host = import('lit').ReactiveControllerHost;
  type SortEvent = CustomEvent<{ sort: string; order: string }>;
  /** The filter that matches an error of dead letters. */
  type ErrorEvent = CustomEvent<{ queue: string; error: string }>;
  type PickEvent = CustomEvent<Set<string>>;
}
