import { describe, expect, it, vi } from 'vitest'
import { createQuickAsk } from '../../../src/main/desktop/quick-ask'
import { isOwnPage, QUICK_SIZES, QUICK_URL, quickOptions } from '../../../src/main/desktop/window-options'

function rig() {
  const state = { isVisible: false, isFocused: false, isDestroyed: false }
  const frame = {
    isDestroyed: () => state.isDestroyed,
    isVisible: () => state.isVisible,
    isFocused: () => state.isFocused,
    show: vi.fn(() => (state.isVisible = true)),
    focus: vi.fn(() => (state.isFocused = true)),
    hide: vi.fn(() => Object.assign(state, { isVisible: false, isFocused: false })),
    setSize: vi.fn(),
    destroy: vi.fn(() => (state.isDestroyed = true)),
  }
  const make = vi.fn(() => {
    Object.assign(state, { isDestroyed: false, isVisible: true })
    return Promise.resolve(frame)
  })
  const openAsk = vi.fn()
  return { frame, state, make, openAsk, quick: createQuickAsk({ make, openAsk }) }
}

describe('the small window of a quick ask', () => {
  it('is made once, shown and hidden from then on, and made anew where a person closed it', async () => {
    const { frame, state, make, quick } = rig()
    await Promise.all([quick.toggle(), quick.toggle()])
    expect(make).toHaveBeenCalledTimes(1)
    expect(frame.focus).toHaveBeenCalled()
    await quick.toggle()
    expect(frame.hide).toHaveBeenCalledTimes(1)
    // Behind the windows of others it comes forward.
    state.isVisible = true
    await quick.toggle()
    expect(state.isFocused).toBe(true)
    expect(frame.hide).toHaveBeenCalledTimes(1)
    quick.close()
    quick.close()
    expect(frame.destroy).toHaveBeenCalledTimes(1)
    await quick.toggle()
    expect(make).toHaveBeenCalledTimes(2)
  })

  it('does what its page says, and nothing else', async () => {
    const { frame, openAsk, quick } = rig()
    quick.hear({ kind: 'open', ask: 'a1' })
    expect(openAsk).not.toHaveBeenCalled()
    await quick.toggle()
    for (const message of [
      null,
      'hide',
      { kind: 'quit' },
      { kind: 'size', size: [9, 9] },
      { kind: 'open', ask: 7 },
    ])
      quick.hear(message)
    expect(frame.hide).not.toHaveBeenCalled()
    expect(frame.setSize).not.toHaveBeenCalled()
    quick.hear({ kind: 'size', size: 'answer' })
    expect(frame.setSize.mock.calls).toEqual([QUICK_SIZES.answer])
    quick.hear({ kind: 'hide' })
    expect(frame.hide).toHaveBeenCalledTimes(1)
    quick.hear({ kind: 'open', ask: 'a1' })
    quick.hear({ kind: 'open', ask: null })
    expect(openAsk.mock.calls).toEqual([['a1'], [null]])
  })

  it('tries anew where it could not be opened', async () => {
    const { make, quick } = rig()
    make.mockRejectedValueOnce(new Error('no display'))
    await expect(quick.toggle()).rejects.toThrow('no display')
    await quick.toggle()
    expect(make).toHaveBeenCalledTimes(2)
  })

  it('has no frame, stands over other programs, and its page is as shut in as the window’s', () => {
    expect(isOwnPage(QUICK_URL)).toBe(true)
    const options = quickOptions('/p.cjs', true)
    expect(options).toMatchObject({
      ...{ frame: false, alwaysOnTop: true, skipTaskbar: true, show: false },
      webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: true },
    })
    // Its place is its own, and is not that of the window.
    expect(options).not.toHaveProperty('windowStatePersistence')
  })
})
