import { expect, it } from 'vitest'
import { cutText } from '../../../../src/core/memory/passages/cut'

const paragraph = (name: string, words: number): string =>
  Array.from({ length: words }, (_, i) => `${name}${i}`).join(' ')

it('cuts at headings and says under which ones a part stands, with its lines', () => {
  const text = ['# Harbor', '', 'Boats.', '', '## North', 'Cranes.', '## South', 'Nets.', '# Town', 'Houses.']
  expect(cutText(text.join('\n'))).toEqual([
    { from: 1, to: 3, headings: ['Harbor'], text: '# Harbor\n\nBoats.' },
    { from: 5, to: 6, headings: ['Harbor', 'North'], text: '## North\nCranes.' },
    { from: 7, to: 8, headings: ['Harbor', 'South'], text: '## South\nNets.' },
    { from: 9, to: 10, headings: ['Town'], text: '# Town\nHouses.' },
  ])
  expect(cutText('')).toEqual([])
  expect(cutText('\n \n')).toEqual([])
})

it('takes a heading in a code block for code', () => {
  expect(cutText('```sh\n# not a heading\n```\n')).toHaveLength(1)
})

it('keeps parts short, loses no word, and leaves other parts as they were when one changes', () => {
  const parts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => paragraph(name, 90))
  const cuts = cutText(parts.join('\n\n'))
  expect(cuts.length).toBeGreaterThan(2)
  expect(Math.max(...cuts.map(({ text }) => text.length))).toBeLessThanOrEqual(1600)
  expect(cuts.flatMap(({ text }) => text.split(/\s+/))).toEqual(parts.flatMap((part) => part.split(' ')))
  for (const [i, cut] of cuts.entries()) expect(cut.from).toBeGreaterThan(cuts[i - 1]?.to ?? 0)
  const changed = cutText([...parts.slice(0, 5), 'g'].join('\n\n'))
  expect(changed.slice(0, 2)).toEqual(cuts.slice(0, 2))
  const long = paragraph('x', 2000)
  expect(cutText(long).flatMap(({ text }) => text.split(/\s+/))).toEqual(long.split(' '))
  expect(cutText('y'.repeat(5000)).map(({ text }) => text.length)).toEqual([1600, 1600, 1600, 200])
})
