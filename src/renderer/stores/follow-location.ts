import type { Stores as AllStores } from './all-stores'
import { hashToPlace, isQuickPage, isStep, placeToHash, type Place } from './location'
import type { ScreenId } from './ui'

type Stores = Pick<
  AllStores,
  'ui' | 'toasts' | 'memories' | 'asks' | 'runs' | 'experiments' | 'items' | 'guides' | 'curveSelection'
>

/** What of a browser's page is needed; tests hand in their own. */
export interface PageAddress {
  hash(): string
  push(hash: string): void
  replace(hash: string): void
  /** Calls back on Back and Forward, and when a person changes the address. Returns how to stop. */
  onChange(getChange: () => void): () => void
}

/** The page's own address. */
export function pageAddress(): PageAddress {
  const { history, location } = window
  const address = (hash: string): string => location.pathname + location.search + hash
  return {
    hash: () => location.hash,
    push: (hash) => history.pushState(null, '', address(hash)),
    replace: (hash) => history.replaceState(null, '', address(hash)),
    onChange: (getChange) => {
      window.addEventListener('popstate', getChange)
      return () => window.removeEventListener('popstate', getChange)
    },
  }
}

/**
 * Keeps the address at where the person is, so that Back and Forward walk through the screens, a reload comes back to
 * the same screen, memory and record, and an address can be kept. Returns how to stop.
 */
export function followLocation(stores: Stores, page: PageAddress): () => void {
  let at: Place | null = null
  let arriving = false

  const arrive = () => {
    // Another page, which takes this one's place.
    if (isQuickPage(page.hash())) return
    const place = hashToPlace(page.hash())
    if (place) {
      at = place
      arriving = true
      goTo(stores, place)
      arriving = false
    } else if (page.hash().startsWith('#/') && page.hash().length > 2)
      stores.toasts.getState().show({
        title: 'This address leads nowhere',
        detail: `There is no place “${page.hash().slice(2, 80)}” in Loam.`,
        tone: 'problem',
      })
    note()
  }
  const note = () => {
    if (arriving || isQuickPage(page.hash())) return
    const now = placeOf(stores)
    const hash = placeToHash(now)
    if (hash === page.hash()) return
    // A memory that was not chosen changes by itself, as when a run makes a new one.
    const own = at !== null && (at.screen !== now.screen || stores.memories.getState().chosen)
    if (own && at !== null && isStep(at, now)) page.push(hash)
    else page.replace(hash)
    at = now
  }
  arrive()
  const { ui, memories, asks, runs, experiments, items, guides, curveSelection } = stores
  const followed = [ui, memories, asks, runs, experiments, items, guides, curveSelection]
  const stops = [page.onChange(arrive), ...followed.map((store) => store.subscribe(note))]
  return () => {
    for (const stop of stops) stop()
  }
}

function placeOf(stores: Stores): Place {
  const { screen } = stores.ui.getState()
  return {
    screen,
    item: RECORDS[screen]?.open(stores) ?? null,
    memoryId: stores.memories.getState().currentId,
  }
}

/** The records of a screen, as the address names them. */
interface Records {
  /** The one that is open; null for none. */
  open(stores: Stores): string | null
  /** Opens another one; null closes it. `memoryId` is the open memory. */
  show(stores: Stores, item: string | null, memoryId: string | null): void
}

const RECORDS: Partial<Record<ScreenId, Records>> = {
  ask: {
    open: ({ asks }) => asks.getState().openId,
    show: ({ asks }, item) => asks.getState().open(item),
  },
  run: {
    open: ({ runs }) => runs.getState().focusId,
    show: (stores, item) => {
      if (item !== null) void openRun(stores, item)
    },
  },
  experiments: {
    open: ({ experiments }) => experiments.getState().openId,
    show: ({ experiments }, item) => experiments.getState().open(item),
  },
  curves: {
    open: ({ curveSelection }) => {
      const { experimentIds, runIds } = curveSelection.getState()
      return [...experimentIds.map((id) => `e:${id}`), ...runIds.map((id) => `r:${id}`)].join(',') || null
    },
    show: ({ curveSelection }, item) => {
      const references = (item ?? '').split(',')
      const of = (kind: string) => references.filter((one) => one.startsWith(kind)).map((one) => one.slice(2))
      if (item !== null) curveSelection.getState().select({ experimentIds: of('e:'), runIds: of('r:') })
    },
  },
  memory: {
    open: ({ items }) => {
      const { open } = items.getState()
      return open ? `${open.kind}:${open.id}` : null
    },
    show: ({ items }, item, memoryId) => {
      if (item === null || memoryId === null) return
      const [kind, id] = halves(item)
      items.getState().enter(memoryId)
      void items.getState().show({ kind, id })
    },
  },
  guides: {
    open: ({ guides }) => {
      const { place } = guides.getState()
      if (place === null) return null
      if (place.kind === 'new') return 'new:'
      return place.kind === 'document' ? `document:${place.conceptId}` : `build:${place.buildId}`
    },
    show: ({ guides }, item, memoryId) => {
      if (item === null || memoryId === null) return
      const [kind, id] = halves(item)
      guides.getState().enter(memoryId)
      if (kind === 'document') guides.getState().show({ kind, conceptId: id })
      else guides.getState().show(kind === 'build' ? { kind, buildId: id } : { kind: 'new' })
    },
  },
}

/** `lesson:l1` as its kind and its id. */
function halves(item: string): readonly [string, string] {
  const at = item.indexOf(':')
  return [item.slice(0, at), item.slice(at + 1)]
}

function goTo(stores: Stores, { screen, item, memoryId }: Place): void {
  const { ui, memories } = stores
  const { currentId, chosen } = memories.getState()
  if (memoryId !== null && (currentId !== memoryId || !chosen)) memories.getState().visit(memoryId)
  const records = RECORDS[screen]
  if (records && records.open(stores) !== item) records.show(stores, item, memories.getState().currentId)
  if (ui.getState().screen !== screen) ui.getState().go(screen)
}

async function openRun({ runs, toasts }: Stores, runId: string): Promise<void> {
  const problem = await runs.getState().open(runId)
  if (problem?.code === 'NOT_FOUND')
    toasts.getState().show({ title: 'The run of this address is not here any more', tone: 'problem' })
}
