// @vitest-environment happy-dom
import { render, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw } from '../../ground/render'
import { blocksOf, Markdown, piecesOf, withDollars } from '../../../../src/renderer/features/ask/markdown'

it('formulas in the forms that models write become MathML; code and money stay', async () => {
  expect(withDollars('so \\(x^2\\) and `\\(code\\)`')).toBe('so $$x^2$$ and `\\(code\\)`')
  expect(withDollars('\\[a\\] ```\n\\[b\\]\n```')).toBe('\n$$\na\n$$\n ```\n\\[b\\]\n```')
  expect(withDollars('open \\( and `open')).toBe('open \\( and `open')
  // One dollar each is a formula where it reads as one.
  expect(withDollars('$A = \\pi r^2$, ($n$) and $5$.')).toBe('$$A = \\pi r^2$$, ($$n$$) and $$5$$.')
  for (const money of [
    '$5 and $6_000',
    'US$5–US$6',
    '5$-6$',
    '$HOME:$PATH',
    '$some words$',
    '`$a$ `',
    '\\$5 $',
  ])
    expect(withDollars(money)).toBe(money)
  expect(withDollars('- so\n  $$a$$\n\nin $$b$$ line')).toBe('- so\n  $$\n  a\n  $$\n\nin $$b$$ line')
  const { container } = render(<Markdown text={'\\(\\frac{1}{2}\\) costs $5 to $6'} />)
  await waitFor(() => expect(container.querySelectorAll('math mfrac')).toHaveLength(1))
  expect(container.textContent).toContain('costs $5 to $6')
})

it('nothing in a formula, in HTML or in a link runs or loads', async () => {
  const { container } = render(
    <Markdown
      text={
        '$$\\href{javascript:alert(1)}{x}$$\n\n$$\\includegraphics{http://a/b.png}$$\n\n$$\\htmlData{onclick=x}{y}$$\n\n<img src=x onerror=alert(1)><script>1</script>\n\n[a](javascript:alert(1)) ![p](http://a/b.png)'
      }
    />,
  )
  await waitFor(() => expect(container.querySelectorAll('math').length).toBeGreaterThan(0))
  expect(container.querySelectorAll('img, script, [onclick], [onerror], [data-onclick]')).toHaveLength(0)
  const links = [...container.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '')
  expect(links.every((href) => !href.startsWith('javascript:'))).toBe(true)
  expect(container.textContent).toContain('[picture: p]')
})

it('is drawn in parts while it is written, code and formulas in one piece', () => {
  const text = 'One\n\n```js\na\n\nb\n```\n\n$$\nx\n\ny\n$$\n\n$$z$$\n\nLast'
  expect(blocksOf(text)).toEqual(['One\n', '```js\na\n\nb\n```\n', '$$\nx\n\ny\n$$\n', '$$z$$\n', 'Last'])
  // What is settled stays as it is while more comes.
  const early = blocksOf(text.slice(0, 40))
  expect(blocksOf(text).slice(0, early.length - 1)).toEqual(early.slice(0, -1))
  expect(blocksOf('')).toEqual([])
})

it('a long text is drawn in pieces that read as the whole does: lists and code stay together, numbers go on', () => {
  const paragraph = (n: number) =>
    `Sentence **${n}** of many, which says what was seen at the mill that day.\n\n`
  const many = (from: number) => Array.from({ length: 80 }, (_, i) => paragraph(from + i)).join('')
  const list = Array.from({ length: 200 }, (_, i) => `${i + 3}. Step of the plan\n\n`).join('')
  const code = '```js\n' + 'let a = 1\n\n'.repeat(600) + '```\n\n'
  const text = many(0) + list + many(100) + code + many(200)
  const pieces = piecesOf(text)
  expect(pieces.join('\n').trim()).toBe(text.trim())
  expect(pieces.length).toBeGreaterThan(3)
  const { container } = draw(<Markdown text={text} />)
  expect(container.querySelectorAll('p')).toHaveLength(3 * 80 + 200)
  expect([...container.querySelectorAll('ol')].map((one) => one.getAttribute('start'))).toEqual(['3'])
  expect(container.querySelectorAll('pre')).toHaveLength(1)
  // A text that refers to its own end is read as a whole.
  expect(piecesOf(`${text}See [there].\n\n[there]: https://a.example`)).toHaveLength(1)
})
