import { describe, expect, it, vi } from 'vitest'
import { createExperimentsStore } from '../../../src/renderer/stores/experiments'
import { followLocation, type PageAddress } from '../../../src/renderer/stores/follow-location'
import { hashToPlace, isStep, placeToHash } from '../../../src/renderer/stores/location'
import { createCurveSelectionStore } from '../../../src/renderer/stores/curve-selection'
import { createGuidesStore } from '../../../src/renderer/stores/guides'
import { createItemsStore } from '../../../src/renderer/stores/items'
import { createAsksStore } from '../../../src/renderer/stores/asks'
import { createRunsStore } from '../../../src/renderer/stores/runs'
import { createSettingsStore } from '../../../src/renderer/stores/settings'
import { createSpacesStore } from '../../../src/renderer/stores/spaces'
import { createToastsStore } from '../../../src/renderer/stores/toasts'
import { createUiStore } from '../../../src/renderer/stores/ui'
import { settingsSchema, type Settings, type SpaceInfo } from '../../../src/shared/domain/space'
import type { ItemRef } from '../../../src/shared/domain/item'
import { memoryItem, partialClient } from '../fixtures'

const space = (id: string, cases: number): SpaceInfo => ({
  id,
  role: 'lab',
  name: id,
  path: id,
  createdAt: '2026-01-01T00:00:00.000Z',
  cases,
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

function stores(spaces: readonly SpaceInfo[], openMemory: string | null = null) {
  const lost: (SpaceInfo | null)[] = []
  let saved: Settings = { ...settingsSchema.parse({}), openMemory }
  const client = partialClient({
    // The first one is My memory.
    spaces: {
      list: () => Promise.resolve(spaces.map((one, i) => (i === 0 ? { ...one, role: 'mine' } : one))),
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
      documents: () => Promise.resolve([]),
      builds: () => Promise.resolve([]),
      versions: () => Promise.resolve([]),
    },
  })
  return {
    lost,
    kept: () => saved.openMemory,
    ui: createUiStore(),
    toasts: createToastsStore(),
    spaces: createSpacesStore(client, createSettingsStore(client), (instead) => lost.push(instead)),
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
    const place = { screen: 'memory', item: 'case:c/1 ä', spaceId: '/data/a b?c' } as const
    expect(hashToPlace(placeToHash(place))).toEqual(place)
    expect(hashToPlace('#/run')).toEqual({ screen: 'run', item: null, spaceId: null })
    for (const hash of ['', '#token=abc', '#/nowhere', '#/memory/%E0%A4%A'])
      expect(hashToPlace(hash)).toBeNull()
  })

  it('makes a step of another screen or space, not of another record in a list', () => {
    const at = { screen: 'memory', item: 'case:a', spaceId: 's' } as const
    expect(isStep(at, { ...at, item: 'b' })).toBe(false)
    expect(isStep(at, { ...at, spaceId: 't' })).toBe(true)
    expect(isStep(at, { ...at, screen: 'run' })).toBe(true)
    expect(isStep({ ...at, screen: 'experiments' }, { ...at, screen: 'experiments', item: null })).toBe(true)
  })

  it('is walked back through the screens and spaces a person was at', async () => {
    const own = stores([space('one', 3), space('two', 1)])
    const browser = page()
    own.ui.getState().go('run')
    followLocation(own, browser)
    await own.spaces.getState().reload()
    own.ui.getState().go('memory')
    own.spaces.getState().choose('two')
    own.ui.getState().go('settings')
    expect(browser.entries).toEqual([
      '#/run?space=one',
      '#/memory?space=one',
      '#/memory?space=two',
      '#/settings?space=two',
    ])
    browser.back()
    expect(own.ui.getState().screen).toBe('memory')
    browser.back()
    expect(own.spaces.getState().currentId).toBe('one')
    browser.back()
    expect(own.ui.getState().screen).toBe('run')
  })

  it('brings a reload back to screen, space and record', async () => {
    const own = stores([space('one', 3), space('two', 1)])
    followLocation(own, page('#/cases/c7?space=two'))
    await own.spaces.getState().reload()
    expect(own.ui.getState().screen).toBe('memory')
    expect(own.spaces.getState().currentId).toBe('two')
    await vi.waitFor(() => expect(own.items.getState().open).toMatchObject({ kind: 'case', id: 'c7' }))
  })

  it('of a space that is gone opens another one and says so', async () => {
    const own = stores([space('one', 3)])
    const browser = page('#/memory?space=gone')
    followLocation(own, browser)
    await own.spaces.getState().reload()
    expect(own.lost.map((instead) => instead?.name)).toEqual(['one'])
    expect(browser.hash()).toBe('#/memory?space=one')
  })

  it('opens what it names: a document, a build, and the lines of a chart', async () => {
    const own = stores([space('one', 3)])
    const browser = page('#/knowledge/document:c9?space=one')
    followLocation(own, browser)
    expect(own.guides.getState().place).toEqual({ kind: 'document', conceptId: 'c9' })
    own.guides.getState().show({ kind: 'build', buildId: 'b1' })
    expect(browser.hash()).toContain('build%3Ab1')
    own.ui.getState().go('curves')
    own.curveSelection.getState().select({ experimentIds: ['exp-1'], runIds: ['r2', 'r3'] })
    const link = browser.hash()

    const there = stores([space('one', 3)])
    followLocation(there, page(link))
    expect(there.ui.getState().screen).toBe('curves')
    expect(there.curveSelection.getState()).toMatchObject({ experimentIds: ['exp-1'], runIds: ['r2', 'r3'] })
  })

  it('opens My memory, or the one that a person chose for the window, which the host keeps', async () => {
    const list = [space('mine', 0), space('one', 30)]
    const own = stores(list)
    await own.spaces.getState().reload()
    expect(own.spaces.getState()).toMatchObject({ currentId: 'mine', homeId: 'mine', chosen: false })
    own.spaces.getState().visit('one')
    expect(own.spaces.getState()).toMatchObject({ currentId: 'one', homeId: 'mine' })
    expect(own.kept()).toBeNull()
    own.spaces.getState().choose('one')
    expect(own.kept()).toBe('one')

    const later = stores(list, 'one')
    await later.spaces.getState().reload()
    expect(later.spaces.getState()).toMatchObject({ currentId: 'one', homeId: 'one' })
    later.spaces.getState().choose('mine')
    expect(later.kept()).toBeNull()

    const gone = stores(list, 'thrown-away')
    await gone.spaces.getState().reload()
    expect(gone.spaces.getState()).toMatchObject({ currentId: 'mine', homeId: 'mine' })
  })

  it('stays with an empty space that the address names', async () => {
    const own = stores([space('full', 3), space('empty', 0)])
    followLocation(own, page('#/streams?space=empty'))
    await own.spaces.getState().reload()
    expect(own.spaces.getState().currentId).toBe('empty')
  })

  it('stays with the space that is looked at when a fuller one comes', async () => {
    const list = [space('one', 0)]
    const own = stores(list)
    await own.spaces.getState().reload()
    list.push(space('two', 12))
    await own.spaces.getState().reload()
    expect(own.spaces.getState().currentId).toBe('one')
  })
})
