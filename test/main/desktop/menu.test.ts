import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it, vi } from 'vitest'
import { menuTemplate, placeTemplate } from '../../../src/main/desktop/menu'

type Item = MenuItemConstructorOptions

const every = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...every((item.submenu as Item[] | undefined) ?? [])])

const actions = () => ({
  command: vi.fn(),
  open: vi.fn(),
  print: vi.fn(),
  clearRecent: vi.fn(),
  showLog: vi.fn(),
  about: vi.fn(),
})

describe.each(['darwin', 'win32', 'linux'] as const)('the menu on %s', (platform) => {
  const calls = actions()
  const items = every(menuTemplate(platform, calls))
  const find = (label: string) => items.find((item) => item.label === label)
  const roles = items.flatMap(({ role }) => role ?? [])

  it('opens the settings with Mod+, and has every action once', () => {
    find('Settings…')?.click?.(null as never, undefined, null as never)
    expect(find('Settings…')?.accelerator).toBe('CommandOrControl+,')
    expect(calls.command).toHaveBeenCalledWith('settings')
    const labels = items.flatMap(({ label }) => label ?? [])
    expect(new Set(labels).size).toBe(labels.length)
    const keys = items.flatMap(({ accelerator }) => accelerator ?? [])
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('edits, zooms, fills the screen and quits as the system does', () => {
    expect(roles).toEqual(
      expect.arrayContaining([
        'editMenu',
        'resetZoom',
        'zoomIn',
        'zoomOut',
        'togglefullscreen',
        'windowMenu',
        'quit',
        'help',
      ]),
    )
    expect(roles.includes('services')).toBe(platform === 'darwin')
    expect(roles.includes('recentDocuments')).toBe(platform === 'darwin')
    expect(find('Clear Recent Files') !== undefined).toBe(platform === 'win32')
  })

  it('zooms by the key of + without Shift too', () => {
    expect(items).toContainEqual(
      expect.objectContaining({ role: 'zoomIn', accelerator: 'CommandOrControl+=', visible: false }),
    )
  })

  it('neither leads to the web nor reloads the page nor opens its tools', () => {
    for (const role of ['reload', 'forceReload', 'toggleDevTools', 'viewMenu', 'fileMenu', 'about'])
      expect(roles).not.toContain(role)
    expect(JSON.stringify(items)).not.toMatch(/https?:/)
  })
})

describe('the menu at a place', () => {
  const nowhere = {
    ...{ isEditable: false, selectionText: '', linkURL: '', misspelledWord: '' },
    dictionarySuggestions: [],
  }
  const calls = { replace: vi.fn(), addWord: vi.fn(), copy: vi.fn(), openLink: vi.fn() }
  const labels = (items: readonly Item[]) => items.map(({ label, role, type }) => label ?? role ?? type)
  const at = (place: object) => placeTemplate({ ...nowhere, ...place }, calls)

  it('is not there where there is nothing to do', () => expect(at({})).toEqual([]))

  it('copies text that is selected', () => expect(labels(at({ selectionText: 'a' }))).toEqual(['copy']))

  it('offers spellings in a field, and to keep the word', () => {
    const items = at({ isEditable: true, misspelledWord: 'teh', dictionarySuggestions: ['the', 'tea'] })
    expect(labels(items)).toEqual([
      ...['the', 'tea', 'Add “teh” to the Word List', 'separator', 'undo', 'redo', 'separator'],
      ...['cut', 'copy', 'paste', 'pasteAndMatchStyle', 'separator', 'selectAll'],
    ])
    items[1]?.click?.(null as never, undefined, null as never)
    items[2]?.click?.(null as never, undefined, null as never)
    expect([calls.replace.mock.calls, calls.addWord.mock.calls]).toEqual([[['tea']], [['teh']]])
  })

  it('opens links through the question alone', () => {
    const items = at({ linkURL: 'https://example.com/', selectionText: 'a' })
    expect(labels(items)).toEqual(['Open Link…', 'Copy Link', 'separator', 'copy'])
    items[0]?.click?.(null as never, undefined, null as never)
    expect(calls.openLink).toHaveBeenCalledWith('https://example.com/')
  })
})
