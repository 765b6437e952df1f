import { describe, expect, it } from 'vitest'
import { linkOfPlace, readLoamLink } from '../../../src/shared/domain/desktop'
import { hashToPlace, placeToHash } from '../../../src/renderer/stores/location'

describe('readLoamLink', () => {
  it.each([
    ['loam://place/ask', { kind: 'place', hash: '#/ask' }],
    [
      'loam://place/memory/case%3Ac12?memory=2026-a_b',
      { kind: 'place', hash: '#/memory/case%3Ac12?memory=2026-a_b' },
    ],
    ['loam://ask?text=Menu+for%20six%0Aon%20Friday%3F', { kind: 'ask', text: 'Menu for six\non Friday?' }],
    ['loam://ask/?text=hello', { kind: 'ask', text: 'hello' }],
    ['loam://bundle?path=%2Fhome%2Fana%2Fgarden.loam', { kind: 'bundle', path: '/home/ana/garden.loam' }],
    ['loam://bundle?path=C%3A%5CGarden%20notes.loam', { kind: 'bundle', path: 'C:\\Garden notes.loam' }],
  ])('understands %s', (link, meaning) => expect(readLoamLink(link)).toEqual(meaning))

  it.each([
    'loam://',
    'loam:ask?text=hello',
    'loam:///ask?text=hello',
    'loam://ask',
    'loam://ask?text=',
    'loam://ask?text=%20%20',
    'loam://ask?text=a&text=b',
    'loam://ask?text=a&send=1',
    'loam://ask?text=a#send',
    'loam://ask/now?text=a',
    'loam://ask?text=%00',
    'loam://ask?text=%1B%5B2J',
    'loam://ask?text=harmless%E2%80%AEsdrow',
    'loam://ask?text=%E2%80%8Bhidden',
    'loam://ask?text=%ff',
    'loam://ask?text=%e0%a4',
    `loam://ask?text=${'a'.repeat(4001)}`,
    `loam://ask?text=${'%61'.repeat(20_000)}`,
    'loam://user:secret@ask?text=a',
    'loam://ask:80?text=a',
    'loam://evil.example/ask?text=a',
    'loam://place/../../etc/passwd',
    'loam://place/memory/case%2F..%2F..',
    'loam://place/ask?memory=a&memory=b',
    'loam://place/ask?next=settings',
    'loam://place/Ask<script>',
    'loam://settings/network/on',
    'loam://run?stream=x',
    'loam://bundle?path=garden.loam',
    'loam://bundle?path=%2Fetc%2Fpasswd',
    'loam://bundle?path=%2F%2Fevil.example%2Fshare%2Fa.loam',
    'loam://bundle?path=%5C%5Cevil.example%5Cshare%5Ca.loam',
    'loam://bundle?path=C%3A%5C%5Cevil%5Ca.loam',
    'loam://bundle?path=%2Fhome%2F..%2Fetc%2Fa.loam',
    'loam://bundle?path=https%3A%2F%2Fevil.example%2Fa.loam',
    'loam://bundle?path=%2Fa.loam%00.txt',
    'javascript:alert(1)',
    'https://example.com/',
    '--data=/tmp/other',
    'loam://ask?text=a\n--headless',
  ])('refuses %s', (link) => expect(readLoamLink(link)).toEqual({ kind: 'refused' }))

  it('leads back to what the window shows', () => {
    for (const place of [
      { screen: 'memory', item: 'case:c12', memoryId: 'm-1' },
      { screen: 'curves', item: 'e:a,r:b', memoryId: null },
      { screen: 'settings', item: null, memoryId: 'm-1' },
    ] as const) {
      const link = readLoamLink(linkOfPlace(placeToHash(place)))
      expect(link.kind === 'place' && hashToPlace(link.hash)).toEqual(place)
    }
  })
})
