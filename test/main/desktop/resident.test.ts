import { describe, expect, it, vi } from 'vitest'
import { createBadge } from '../../../src/main/desktop/badge'
import { createResident } from '../../../src/main/desktop/resident'
import { canBeReached } from '../../../src/main/desktop/window-place'
import { desktopSettingsSchema } from '../../../src/shared/domain/desktop'

const OFF = desktopSettingsSchema.parse({})

describe('what stays beside the window', () => {
  const rig = (hasKeys = true) => {
    const destroy = vi.fn()
    const options = {
      makeTray: vi.fn(() => ({ destroy })),
      shortcuts: { register: vi.fn(() => hasKeys), unregister: vi.fn() },
      quickAsk: vi.fn(),
      checkSpelling: vi.fn(),
      taken: vi.fn(),
    }
    return { ...options, destroy, resident: createResident(options) }
  }

  it('is nothing at first', () => {
    const { resident, makeTray, shortcuts, checkSpelling } = rig()
    expect(OFF).toEqual({ tray: false, quickAsk: null, spelling: false, lookForUpdates: false })
    resident.follow(OFF)
    expect(resident.stays()).toBe(false)
    expect(makeTray).not.toHaveBeenCalled()
    expect(shortcuts.register).not.toHaveBeenCalled()
    expect(checkSpelling.mock.calls).toEqual([[false]])
  })

  it('comes and goes with the settings', () => {
    const { resident, makeTray, shortcuts, destroy, quickAsk } = rig()
    const on = { ...OFF, tray: true, quickAsk: 'Control+Shift+Space' }
    resident.follow(on)
    resident.follow(on)
    expect(resident.stays()).toBe(true)
    expect(makeTray).toHaveBeenCalledTimes(1)
    expect(shortcuts.register.mock.calls).toEqual([['Control+Shift+Space', quickAsk]])
    resident.follow({ ...on, quickAsk: 'Alt+L' })
    expect(shortcuts.unregister.mock.calls).toEqual([['Control+Shift+Space']])
    resident.follow(OFF)
    expect(destroy).toHaveBeenCalledTimes(1)
    expect(shortcuts.unregister).toHaveBeenLastCalledWith('Alt+L')
    expect(resident.stays()).toBe(false)
  })

  it('says when another program has the keys', () => {
    const { resident, taken } = rig(false)
    resident.follow({ ...OFF, quickAsk: 'Alt+L' })
    expect(taken.mock.calls).toEqual([['Alt+L']])
  })

  it.each([
    'L',
    'Shift',
    'Control+',
    'Control+Shift',
    'Control+LL',
    'Control+Shift+Space+A',
    '+A',
    'Alt + L',
  ])('takes %s for no keys', (quickAsk) =>
    expect(desktopSettingsSchema.safeParse({ quickAsk }).success).toBe(false),
  )
})

describe('the badge', () => {
  it('counts what a person waits for and did not see, until they look', () => {
    const show = vi.fn()
    let isFocused = false
    const badge = createBadge({ isFocused: () => isFocused, show })
    badge.seen()
    badge.ended({ kind: 'ask', status: 'done' })
    badge.ended({ kind: 'run', status: 'failed' })
    badge.ended({ kind: 'ask', status: 'cancelled' })
    badge.ended({ kind: 'model-load', status: 'done' })
    isFocused = true
    badge.ended({ kind: 'ask', status: 'done' })
    badge.seen()
    badge.seen()
    expect(show.mock.calls).toEqual([[1], [2], [0]])
  })
})

describe('a window’s place', () => {
  const screen = { x: 0, y: 0, width: 1920, height: 1080 }
  const second = { x: 1920, y: 0, width: 1280, height: 1024 }
  const window = (x: number, y: number) => ({ x, y, width: 1280, height: 820 })
  it.each([
    [window(100, 100), [screen], true],
    [window(2000, 100), [screen, second], true],
    [window(2000, 100), [screen], false],
    [window(1900, 0), [screen], false],
    [window(-1240, 0), [screen], false],
    [window(0, 1060), [screen], false],
    [window(0, -400), [screen], false],
  ])('%o on %o can be reached: %s', (area, screens, can) => expect(canBeReached(area, screens)).toBe(can))
})
