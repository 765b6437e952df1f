import { hashToPlace, isStep, placeToHash, type Place } from './location'
import type { Stores as AllStores } from './all-stores'

type Stores = Pick<
  AllStores,
  'ui' | 'toasts' | 'spaces' | 'asks' | 'runs' | 'experiments' | 'memory' | 'cases' | 'experiences'
>

/** What of a browser's page is needed; tests hand in their own. */
export interface PageAddress {
  hash(): string
  push(hash: string): void
  replace(hash: string): void
  /** Calls back on Back and Forward, and when a person changes the address. Returns how to stop. */
  onChange(changed: () => void): () => void
}

/** The page's own address. */
export function pageAddress(): PageAddress {
  const { history, location } = window
  const address = (hash: string): string => location.pathname + location.search + hash
  return {
    hash: () => location.hash,
    push: (hash) => history.pushState(null, '', address(hash)),
    replace: (hash) => history.replaceState(null, '', address(hash)),
    onChange: (changed) => {
      window.addEventListener('popstate', changed)
      return () => window.removeEventListener('popstate', changed)
    },
  }
}

/**
 * Keeps the address at where the person is, so that Back and Forward walk through the screens, a reload comes back to
 * the same screen, space and record, and an address can be kept. Returns how to stop.
 */
export function followLocation(stores: Stores, page: PageAddress): () => void {
  let at: Place | null = null
  let arriving = false

  const arrive = () => {
    const place = hashToPlace(page.hash())
    if (place) {
      at = place
      arriving = true
      goTo(stores, place)
      arriving = false
    }
    note()
  }
  const note = () => {
    if (arriving) return
    const now = placeOf(stores)
    const hash = placeToHash(now)
    if (hash === page.hash()) return
    // A space that was not chosen changes by itself, as when a run makes a new one.
    const own = at !== null && (at.screen !== now.screen || stores.spaces.getState().chosen)
    if (own && at !== null && isStep(at, now)) page.push(hash)
    else page.replace(hash)
    at = now
  }
  arrive()
  const { ui, spaces, asks, runs, experiments, memory, cases, experiences } = stores
  const stops = [
    page.onChange(arrive),
    ...[ui, spaces, asks, runs, experiments, memory, cases, experiences].map((store) =>
      store.subscribe(note),
    ),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function placeOf(stores: Stores): Place {
  const { screen } = stores.ui.getState()
  return { screen, item: itemOn(screen, stores), spaceId: stores.spaces.getState().currentId }
}

function itemOn(screen: Place['screen'], stores: Stores): string | null {
  switch (screen) {
    case 'ask':
      return stores.asks.getState().openId
    case 'run':
      return stores.runs.getState().focusId
    case 'experiments':
      return stores.experiments.getState().openId
    case 'memory': {
      const { open } = stores.memory.getState()
      return open ? `${open.kind}:${open.id}` : null
    }
    case 'cases':
      return stores.cases.getState().open?.id ?? null
    case 'experiences':
      return stores.experiences.getState().open?.experience.id ?? null
    default:
      return null
  }
}

function goTo(stores: Stores, { screen, item, spaceId }: Place): void {
  const { ui, spaces, runs, experiments, cases, experiences } = stores
  if (spaceId !== null && spaces.getState().currentId !== spaceId) spaces.getState().choose(spaceId)
  const space = spaces.getState().currentId
  if (screen === 'run' && item !== null && runs.getState().focusId !== item) void openRun(stores, item)
  if (screen === 'ask' && stores.asks.getState().openId !== item) stores.asks.getState().open(item)
  if (screen === 'experiments' && experiments.getState().openId !== item) experiments.getState().open(item)
  if (screen === 'memory' && item !== null && space !== null) {
    const at = item.indexOf(':')
    stores.memory.getState().enter(space)
    void stores.memory.getState().show({ kind: item.slice(0, at), id: item.slice(at + 1) })
  }
  if (screen === 'cases' && item !== null && space !== null && cases.getState().open?.id !== item) {
    cases.getState().enter(space)
    void cases.getState().show(item)
  }
  if (screen === 'experiences' && item !== null && space !== null) {
    if (experiences.getState().open?.experience.id !== item) {
      experiences.getState().enter(space)
      void experiences.getState().show(item)
    }
  }
  if (ui.getState().screen !== screen) ui.getState().go(screen)
}

async function openRun({ runs, toasts }: Stores, runId: string): Promise<void> {
  const problem = await runs.getState().open(runId)
  if (problem?.code === 'NOT_FOUND')
    toasts.getState().show({ title: 'The run of this address is not here any more', tone: 'problem' })
}
