import { describe, expect, it, vi } from 'vitest'
import { createLinkOpener, outerAddress } from '../../../src/main/desktop/outer-links'

describe('links to elsewhere', () => {
  const opener = (response: number | Promise<{ response: number }>) => {
    const ask = vi.fn((_options: object) =>
      typeof response === 'number' ? Promise.resolve({ response }) : response,
    )
    const openExternal = vi.fn(() => Promise.resolve())
    const copy = vi.fn()
    return { ask, openExternal, copy, open: createLinkOpener({ ask, openExternal, copy }) }
  }

  it('shows the whole address first, with nothing chosen', async () => {
    const { ask, open, openExternal } = opener(0)
    await open('https://xn--e1aybc.example/a?b=c#d')
    expect(ask.mock.calls[0]?.[0]).toMatchObject({
      message: 'Open xn--e1aybc.example in your browser?',
      detail: expect.stringContaining('https://xn--e1aybc.example/a?b=c#d') as unknown,
      defaultId: 0,
      cancelId: 0,
    })
    expect(openExternal).not.toHaveBeenCalled()
  })

  it('opens or copies what a person chose', async () => {
    const yes = opener(2)
    await yes.open('https://example.com')
    expect(yes.openExternal.mock.calls).toEqual([['https://example.com/']])
    const copied = opener(1)
    await copied.open('https://example.com')
    expect(copied.copy.mock.calls).toEqual([['https://example.com/']])
    expect(copied.openExternal).not.toHaveBeenCalled()
  })

  it('asks one question at a time', async () => {
    let answer: (value: { response: number }) => void = () => undefined
    const { ask, open } = opener(new Promise((resolve) => (answer = resolve)))
    const first = open('https://example.com/1')
    await open('https://example.com/2')
    answer({ response: 0 })
    await first
    expect(ask).toHaveBeenCalledTimes(1)
  })

  it.each([
    'http://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://server/share',
    'loam://ask?text=a',
    'app://loam/',
    'mailto:a@example.com',
    'https://bank.example@evil.example/',
    `https://example.com/${'a'.repeat(2000)}`,
    'https://',
    'no address',
  ])('keeps %s shut without a word', async (link) => {
    const { ask, open } = opener(2)
    await open(link)
    expect(ask).not.toHaveBeenCalled()
    expect(outerAddress(link)).toBeNull()
  })
})
