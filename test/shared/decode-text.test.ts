import { expect, test } from 'vitest'
import { decodeText } from '../../src/shared/decode-text'

const text = 'question,answer\nGröße in “mm”?,5 € – “five”\n'
const utf16 = (mark: boolean) => new Uint8Array(Buffer.from(mark ? `\uFEFF${text}` : text, 'utf16le'))
const swapped = (bytes: Uint8Array) => new Uint8Array(Buffer.from(bytes).swap16())
/** What an older spreadsheet program saves. */
const windows = Uint8Array.from(
  [...text].map((char) => ({ '“': 0x93, '”': 0x94, '–': 0x96, '€': 0x80 })[char] ?? char.charCodeAt(0)),
)

test('UTF-8 with and without a mark, UTF-16 of both orders, Windows-1252, and lines that end in carriage returns', () => {
  expect(decodeText(new TextEncoder().encode(text))).toEqual({ text, encoding: null })
  expect(decodeText(new TextEncoder().encode(`\uFEFF${text}`))).toEqual({ text, encoding: null })
  for (const bytes of [utf16(true), utf16(false), swapped(utf16(true)), swapped(utf16(false))])
    expect(decodeText(bytes)).toEqual({ text, encoding: 'UTF-16' })
  expect(decodeText(windows)).toEqual({ text, encoding: 'Windows-1252' })
  expect(decodeText(new TextEncoder().encode('a,b\r1,2\r')).text).toBe('a,b\n1,2\n')
})

test('a few broken places do not make another encoding of UTF-8', () => {
  const bytes = Uint8Array.from([...new TextEncoder().encode('Größe, Käfer, Überfluß '), 0xe4, 0x20])
  expect(decodeText(bytes)).toEqual({ text: 'Größe, Käfer, Überfluß \uFFFD ', encoding: null })
})
