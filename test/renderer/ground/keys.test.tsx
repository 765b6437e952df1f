// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useLetter, useTypedAhead, useTyping } from '../../../src/renderer/ground/keys'
import { draw } from './render'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const letters: string[] = []
const texts: string[] = []

function Keys() {
  useLetter('rpw', (letter) => void letters.push(letter))
  useTyping((text) => void texts.push(text))
  return <p>Keys</p>
}

/** Presses a key; `at`: when the person did, in ms. */
function press(key: string, at: number): void {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  Object.defineProperty(event, 'timeStamp', { value: at })
  document.body.dispatchEvent(event)
}

beforeEach(() => {
  letters.length = texts.length = 0
})

test('no letter is lost, however slowly others follow', () => {
  draw(<Keys />)
  press('h', 0)
  expect(texts).toEqual(['h'])
  vi.advanceTimersByTime(5000)
  press('o', 5000)
  expect(texts).toEqual(['h', 'o'])
  expect(letters).toEqual([])
})

test('a shortcut is one where nothing follows quickly; else both letters are text', () => {
  draw(<Keys />)
  press('w', 0)
  vi.advanceTimersByTime(1000)
  expect([letters, texts]).toEqual([['w'], []])
  press('w', 2000)
  press('h', 2100)
  vi.advanceTimersByTime(1000)
  expect([letters, texts]).toEqual([['w'], ['wh']])
})

test('a key that waited while the window was busy is heard before a shortcut acts', () => {
  draw(<Keys />)
  press('w', 0)
  // The window was busy for longer than that; what was pressed meanwhile comes now.
  vi.advanceTimersToNextTimer()
  press('h', 100)
  vi.advanceTimersByTime(1000)
  expect([letters, texts]).toEqual([[], ['wh']])
})

test('what is typed while a field is still to come is handed over as a whole; a letter alone is not', () => {
  function Opening() {
    useTypedAhead((text) => void texts.push(text))
    return <p>Opening</p>
  }
  const drawn = draw(<Opening />)
  for (const key of [' ', 'h', 'o', 'w', ' ', '2', '?', 'Enter']) press(key, 0)
  expect(texts).toEqual([])
  drawn.rerender(<p>There</p>)
  expect(texts).toEqual(['how 2?'])
  drawn.rerender(<Opening />)
  press('w', 0)
  drawn.rerender(<p>There</p>)
  expect(texts).toEqual(['how 2?'])
})
