import type { ItemRef } from '../../shared/domain/item'
import type { JobInfo } from '../../shared/domain/job'
import type { LoamClient } from '../client-type'
import { createStores, type Stores } from './all-stores'
import { followLocation, type PageAddress } from './follow-location'
import { NO_ITEM_FILTERS } from './items'
import { jobEnded } from './job-ended'
import { openJob, openRecord, type RecordKind } from './open-job'

/** Every store of the window, the client they ask, and the ways from one screen to another. */
export interface Services extends Stores {
  readonly client: LoamClient
  /** Opens an item of a memory, from anywhere, among those of its kind. */
  openItem(memoryId: string, ref: ItemRef): void
  /** Opens the run of an experiment's cell. */
  openCell(runId: string): Promise<void>
  /** Goes to an ask, a run or an experiment; without an id to where a new one is made. */
  openRecord(kind: RecordKind, id?: string): void
  /** Goes to what a job works on. */
  openJob(job: JobInfo): void
  /** Reads everything once and follows the feeds, and the page's address where one is given, until the returned function is called. */
  start(address?: PageAddress): () => void
}

const INFO_EVERY_MS = 10_000

/**
 * Builds every store around one client: the one place where features learn of each other. `tells`: whether it is said when work ends; the page of
 * a quick ask leaves that to the window. Default true.
 */
export function createServices(client: LoamClient, { tells = true } = {}): Services {
  const stores: Stores = createStores(client, {
    jobEnded: (job) => {
      if (tells) jobEnded(job, stores, client)
    },
    memoryLost: (instead) =>
      stores.toasts.getState().show({
        title: 'The memory that was open is not here any more',
        ...(instead && { detail: `“${instead.name}” is open instead.` }),
        tone: 'problem',
      }),
  })
  const { ui, toasts, memories, runs, items, caseValues } = stores
  stores.methods.subscribe(({ data }) => {
    if (!data) return
    const first = data.filter(({ suggested }) => suggested?.includes('experiment')).map(({ id }) => id)
    stores.experimentForm.getState().suggest(first)
  })

  function openItem(memoryId: string, { kind, id }: ItemRef) {
    memories.getState().visit(memoryId)
    items.getState().enter(memoryId)
    if (items.getState().filters.kind !== kind) items.getState().filter({ ...NO_ITEM_FILTERS, kind })
    void items.getState().show({ kind, id })
    caseValues.getState().look('case')
    ui.getState().go('memory')
  }

  async function openCell(runId: string) {
    const problem = await runs.getState().open(runId)
    if (problem) toasts.getState().show({ title: problem.title, detail: problem.cause, tone: 'problem' })
    else ui.getState().go('run')
  }

  return {
    client,
    ...stores,
    openItem,
    openCell,
    openRecord: (kind, id) => openRecord(kind, id ?? null, stores),
    openJob: (job) => openJob(job, stores),
    start: (address) => startStores(stores, address),
  }
}

/** Reads what every screen needs, again whenever the host may be another one. */
function readAll(stores: Stores): void {
  const { info, memoryKinds, myMemory, models, registry, embedders, streams, methods, environments } = stores
  const { methodChoice } = stores
  const { settings, memories, asks, runs, experiments } = stores
  const read = [
    info,
    memoryKinds,
    myMemory,
    models,
    registry,
    embedders,
    streams,
    methods,
    methodChoice,
    environments,
    memories,
  ]
  for (const resource of read) void resource.getState().reload()
  for (const store of [settings, asks, runs, experiments]) void store.getState().load()
}

/** Calls `again` when a person comes back to this window. Answers what ends that; where there is no window, nothing happens. */
function onReturn(again: () => void): () => void {
  if (typeof document === 'undefined') return () => undefined
  const look = () => {
    if (document.visibilityState === 'visible') again()
  }
  window.addEventListener('focus', look)
  document.addEventListener('visibilitychange', look)
  return () => {
    window.removeEventListener('focus', look)
    document.removeEventListener('visibilitychange', look)
  }
}

/** Reads again what another window or a command may have changed meanwhile. */
function readChanges({ models, embedders, streams, memories, asks }: Stores): void {
  for (const resource of [models, embedders, streams, memories]) void resource.getState().reload()
  void asks.getState().load()
}

function startStores(stores: Stores, address: PageAddress | undefined): () => void {
  const { info, memories, asks, runs, experiments, guides, softPrompts, engine, jobs, tools, downloads } =
    stores
  // First, so that what is read then is of the memory that the address names.
  const leaveAddress = address ? followLocation(stores, address) : () => undefined
  readAll(stores)
  const timer = setInterval(() => void info.getState().reload(), INFO_EVERY_MS)
  const stops = [
    ...[jobs, engine, tools, downloads].map((store) => store.getState().follow()),
    jobs.subscribe((state, before) => {
      for (const store of [runs, experiments]) store.getState().hear(state.data)
      if (state.connected && before.problem && !before.connected) readAll(stores)
    }),
    runs.subscribe((state, before) => {
      // A new run may have made a new memory.
      if (state.order.length !== before.order.length) void memories.getState().reload()
    }),
    // How many connections lead out is read now and then, and whenever a download begins or ends.
    downloads.subscribe(() => void info.getState().reload()),
    leaveAddress,
    onReturn(() => readChanges(stores)),
    ...[asks, runs, experiments].map((store) => () => store.getState().stopWatching()),
    ...[softPrompts, guides].map((store) => () => store.getState().leave()),
  ]
  return () => {
    clearInterval(timer)
    for (const stop of stops) stop()
  }
}
