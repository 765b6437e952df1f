import { describe, expect, it, vi } from 'vitest'
import { createExperimentsStore } from '../../../src/renderer/stores/experiments'
import { followLocation, type PageAddress } from '../../../src/renderer/stores/follow-location'
import { hashToPlace, isStep, placeToHash } from '../../../src/renderer/stores/location'
import { createCurveSelectionStore } from '../../../src/renderer/stores/curves'
import { createGuidesStore } from '../../../src/renderer/stores/guides'
import { createItemsStore } from '../../../src/renderer/stores/items'
import { createAsksStore } from '../../../src/renderer/stores/asks'
import { createRunsStore } from '../../../src/renderer/stores/runs'
import { createSettingsStore } from '../../../src/renderer/stores/settings'
import { createMemoriesStore } from '../../../src/renderer/stores/memories'
import { createToastsStore } from '../../../src/renderer/stores/toasts'
import { createUiStore } from '../../../src/renderer/stores/ui'
import { settingsSchema, type Settings, type MemoryInfo } from '../../../src/shared/domain/memory-info'
import type { ItemRef } from '../../../src/shared/domain/item'
import { memoryItem, partialClient } from '../fixtures'

const memory = (id: string, cases: number): MemoryInfo => ({
  id,
  role: 'lab',
  name: id,
  path: id,
  createdAt: '2026-01-01T00:00:00.000Z',
  cases,
  items: {},
  trajectories: cases,
  bytes: 0,
  embedder: 'lexical-384',
})

/** An address with the history of a browser. */
function page(hash = ''): PageAddress & { back(): void; readonly entries: string[] } {
  const entries = [hash]
  let at = 0
  let changed = () => {}
  return {
    entries,
    hash: () => entries[at] ?? '',
    push: (next) => {
      entries.splice(at + 1, entries.length, next)
      at += 1
    },
    replace: (next) => void (entries[at] = next),
    onChange: (listener) => {
      changed = listener
      return () => {}
    },
    back: () => {
      at -= 1
      changed()
    },
  }
}

function stores(memories: readonly MemoryInfo[], openMemory: string | null = null) {
  const lost: (MemoryInfo | null)[] = []
  let saved: Settings = { ...settingsSchema.parse({}), openMemory }
  const client = partialClient({
    // The first one is My memory.
    memories: {
      list: () => Promise.resolve(memories.map((one, i) => (i === 0 ? { ...one, role: 'mine' } : one))),
    },
    app: {
      settings: () => Promise.resolve(saved),
      saveSettings: (change: Partial<Settings>) => Promise.resolve((saved = { ...saved, ...change })),
    },
    items: {
      list: () =>
        Promise.resolve({
          ...{ rows: [], total: 0, counts: [], environments: [], tags: [], span: null, facets: [], ms: 0 },
        }),
      show: ({ kind, id }: ItemRef) => Promise.resolve(memoryItem(kind, id)),
    },
    guides: {
      watch: () => new Promise(() => undefined),
      versions: () => Promise.resolve([]),
    },
  })
  return {
    lost,
    kept: () => saved.openMemory,
    ui: createUiStore(),
    toasts: createToastsStore(),
    memories: createMemoriesStore(client, createSettingsStore(client), (instead) => lost.push(instead)),
    asks: createAsksStore(client),
    runs: createRunsStore(client),
    experiments: createExperimentsStore(client),
    items: createItemsStore(client),
    guides: createGuidesStore(client),
    curveSelection: createCurveSelectionStore(),
  }
}

describe('the address', () => {
  it('says a place and is read back, whatever is in it', () => {
    const place = { screen: 'memory', item: 'case:c/1 ä', memoryId: '/data/a b?c' } as const
    expect(hashToPlace(placeToHash(place))).toEqual(place)
    expect(hashToPlace('#/run')).toEqual({ screen: 'run', item: null, memoryId: null })
    for (const hash of ['', '#token=abc', '#/nowhere', '#/memory/%E0%A4%A'])
      expect(hashToPlace(hash)).toBeNull()
  })

  it('makes a step of another screen or memory, not of another record in a list', () => {
    const at = { screen: 'memory', item: 'case:a', memoryId: 's' } as const
    expect(isStep(at, { ...at, item: 'b' })).toBe(false)
    expect(isStep(at, { ...at, memoryId: 't' })).toBe(true)
    expect(isStep(at, { ...at, screen: 'run' })).toBe(true)
    expect(isStep({ ...at, screen: 'experiments' }, { ...at, screen: 'experiments', item: null })).toBe(true)
  })

  it('is walked back through the screens and memories a person was at', async () => {
    const own = stores([memory('one', 3), memory('two', 1)])
    const browser = page()
    own.ui.getState().go('run')
    followLocation(own, browser)
    await own.memories.getState().reload()
    own.ui.getState().go('memory')
    own.memories.getState().choose('two')
    own.ui.getState().go('settings')
    expect(browser.entries).toEqual([
      '#/run?memory=one',
      '#/memory?memory=one',
      '#/memory?memory=two',
      '#/settings?memory=two',
    ])
    browser.back()
    expect(own.ui.getState().screen).toBe('memory')
    browser.back()
    expect(own.memories.getState().currentId).toBe('one')
    browser.back()
    expect(own.ui.getState().screen).toBe('run')
  })

  it('brings a reload back to screen, memory and record', async () => {
    const own = stores([memory('one', 3), memory('two', 1)])
    followLocation(own, page('#/cases/c7?memory=two'))
    await own.memories.getState().reload()
    expect(own.ui.getState().screen).toBe('memory')
    expect(own.memories.getState().currentId).toBe('two')
    await vi.waitFor(() => expect(own.items.getState().open).toMatchObject({ kind: 'case', id: 'c7' }))
  })

  it('that leads nowhere says so, and one with a key or none does not', () => {
    const told = (hash: string) => {
      const own = stores([memory('one', 3)])
      followLocation(own, page(hash))
      return own.toasts.getState().toasts.map(({ title, detail }) => `${title}: ${detail ?? ''}`)
    }
    expect(told('#/nowhere/x')).toEqual([
      'This address leads nowhere: There is no place “nowhere/x” in Loam.',
    ])
    for (const hash of ['', '#/', '#token=abc', '#/run']) expect(told(hash)).toEqual([])
  })

  it('of a quick ask is another page’s: it is left as it is', async () => {
    const own = stores([memory('one', 1)])
    const address = page('#/quick')
    const stop = followLocation(own, address)
    await own.memories.getState().reload()
    expect(address.entries).toEqual(['#/quick'])
    expect(own.toasts.getState().toasts).toEqual([])
    stop()
  })

  it('of a memory that is gone opens another one and says so', async () => {
    const own = stores([memory('one', 3)])
    const browser = page('#/memory?memory=gone')
    followLocation(own, browser)
    await own.memories.getState().reload()
    expect(own.lost.map((instead) => instead?.name)).toEqual(['one'])
    expect(browser.hash()).toBe('#/memory?memory=one')
  })

  it('opens what it names: a document, a build, and the lines of a chart', async () => {
    const own = stores([memory('one', 3)])
    const browser = page('#/guides/document:c9?memory=one')
    followLocation(own, browser)
    expect(own.guides.getState().place).toEqual({ kind: 'document', conceptId: 'c9' })
    own.guides.getState().show({ kind: 'build', buildId: 'b1' })
    expect(browser.hash()).toContain('build%3Ab1')
    own.ui.getState().go('curves')
    own.curveSelection.getState().select({ experimentIds: ['exp-1'], runIds: ['r2', 'r3'] })
    const link = browser.hash()

    const there = stores([memory('one', 3)])
    followLocation(there, page(link))
    expect(there.ui.getState().screen).toBe('curves')
    expect(there.curveSelection.getState()).toMatchObject({ experimentIds: ['exp-1'], runIds: ['r2', 'r3'] })
  })

  it('opens My memory, or the one that a person chose for the window, which the host keeps', async () => {
    const list = [memory('mine', 0), memory('one', 30)]
    const own = stores(list)
    await own.memories.getState().reload()
    expect(own.memories.getState()).toMatchObject({ currentId: 'mine', homeId: 'mine', chosen: false })
    own.memories.getState().visit('one')
    expect(own.memories.getState()).toMatchObject({ currentId: 'one', homeId: 'mine' })
    expect(own.kept()).toBeNull()
    own.memories.getState().choose('one')
    expect(own.kept()).toBe('one')

    const later = stores(list, 'one')
    await later.memories.getState().reload()
    expect(later.memories.getState()).toMatchObject({ currentId: 'one', homeId: 'one' })
    later.memories.getState().choose('mine')
    expect(later.kept()).toBeNull()

    const gone = stores(list, 'thrown-away')
    await gone.memories.getState().reload()
    expect(gone.memories.getState()).toMatchObject({ currentId: 'mine', homeId: 'mine' })
  })

  it('stays with an empty memory that the address names', async () => {
    const own = stores([memory('full', 3), memory('empty', 0)])
    followLocation(own, page('#/streams?memory=empty'))
    await own.memories.getState().reload()
    expect(own.memories.getState().currentId).toBe('empty')
  })

  it('stays with the memory that is looked at when a fuller one comes', async () => {
    const list = [memory('one', 0)]
    const own = stores(list)
    await own.memories.getState().reload()
    list.push(memory('two', 12))
    await own.memories.getState().reload()
    expect(own.memories.getState().currentId).toBe('one')
  })
})
