import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ABSTRACT_TEMPLATES } from '../../../src/core/methods/agent-kb/abstract'
import { FEEDBACK_REFINE, templateOf } from '../../../src/core/methods/agent-kb/templates'
import { brew } from '../../../src/core/methods/brew/brew'
import { integrateMessages } from '../../../src/core/methods/brew/messages'
import { withoutFrontMatter } from '../../../src/main/ground/prompts'

/** The papers as text, from the checkout or from a worktree beside it. */
const PAPERS = ['../../../../shared/seeds', '../../../../../shared/seeds']
  .map((path) => join(import.meta.dirname, path))
  .find(existsSync)

const PAPER_OF = {
  'agent-kb': '000_8cb31c407852851a.txt',
  brew: '002_f82dad9119ba08e8.txt',
  evosc: '001_1ab9c1d13fe74177.txt',
  memento: '004_0c0b34728f4c9954.txt',
} as const

const PRINTED = [
  ['brew', 'brew-paper-integrate'],
  ['agent-kb', 'agent-kb-paper-reason'],
  ['agent-kb', 'agent-kb-paper-refine'],
  ['agent-kb', 'agent-kb-paper-feedback-refine'],
  ['agent-kb', 'agent-kb-paper-feedback-refine-code'],
  ['agent-kb', 'agent-kb-paper-abstract'],
  ['agent-kb', 'agent-kb-paper-abstract-search'],
  ['agent-kb', 'agent-kb-paper-abstract-code'],
] as const

const fileOf = (id: string): string => readFileSync(`resources/prompts/${id}.md`, 'utf8')

/** Letters alone: the papers' text has numbers of lines, breaks and signs of layout between them. */
const letters = (text: string): string =>
  text
    .replaceAll(String.raw`\rightarrow`, '')
    // Misread in the text of the paper.
    .replaceAll(/e\s*\.q\./g, 'e.g.')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')

/** Without the reply form of the last two lines, which is Loam's. */
const printedPart = (id: string): string => withoutFrontMatter(fileOf(id)).split('\n').slice(0, -2).join('\n')

test.each(PRINTED)('%s: %s says where it is printed and what is not', (_, id) => {
  expect(fileOf(id)).toMatch(/^source: ".+ appendix .+; the reply form in the last two lines is Loam’s"$/m)
  expect(withoutFrontMatter(fileOf(id)).split('\n').at(-1)).toMatch(/^Reply as JSON: \{.+\}\.$/)
})

test.skipIf(PAPERS === undefined).each(PRINTED)(
  '%s: %s is word for word what the paper prints (needs ../shared)',
  (method, id) => {
    const paper = letters(readFileSync(join(PAPERS ?? '', PAPER_OF[method]), 'utf8'))
    const printed = letters(printedPart(id))
    expect(printed.length).toBeGreaterThan(300)
    for (let at = 0; at < printed.length; at += 80)
      expect(paper).toContain(printed.slice(at, Math.min(printed.length, at + 160)))
  },
)

test.skipIf(PAPERS === undefined)('no paper prints a prompt that is not among them (needs ../shared)', () => {
  const textOf = (paper: keyof typeof PAPER_OF): string =>
    readFileSync(join(PAPERS ?? '', PAPER_OF[paper]), 'utf8')
  const headings = (paper: keyof typeof PAPER_OF, heading: RegExp): number =>
    textOf(paper).match(heading)?.length ?? 0
  const countOf = (method: string): number => PRINTED.filter(([one]) => one === method).length
  expect(headings('brew', /^#? ?\*\*BREW \w{1,20} Prompt\*\*$/gm)).toBe(countOf('brew'))
  // One more is printed, Retrieve: it would ask a model to search, which here the index does.
  const agentKb = /^(?:\d{1,8} ?)?\*{0,2}AGENT KB (?:Generation|Reason|Retrieve|Refine) Prompt/gm
  expect(headings('agent-kb', agentKb)).toBe(countOf('agent-kb') + 1)
  // EvoSC's are pictures, of which the text has the captions alone.
  expect(headings('evosc', /^Figure \d{1,2}: .{0,40}[Pp]rompt .{0,20}designed for/gm)).toBe(5)
  expect(countOf('evosc')).toBe(0)
  expect(headings('memento', /^.{0,40}Prompt(?: Template)?:?\**$/gm)).toBe(0)
})

test('the preset of the paper asks with the printed prompts', () => {
  const prompts = brew.prompts?.('qa') ?? []
  expect(prompts).toContain('brew-paper-integrate')
  expect(brew.paper?.presets.map(({ settings }) => settings?.['brew'])).toEqual(
    Array.from({ length: 3 }, () =>
      expect.objectContaining({ prompts: 'paper', keep: 'asked', found: 'all' }),
    ),
  )
  expect(templateOf(FEEDBACK_REFINE, 'paper', 'code')).toBe('agent-kb-paper-feedback-refine-code')
  expect(templateOf(FEEDBACK_REFINE, 'loam', 'code')).toBe(FEEDBACK_REFINE)
  expect(ABSTRACT_TEMPLATES).toContain('agent-kb-paper-abstract-search')
})

test('document and insights stand among the nodes of the printed prompt', () => {
  const template = withoutFrontMatter(fileOf('brew-paper-integrate'))
  const [message, ...others] = integrateMessages(template, 'valves', ['Use $& valves.'], null)
  expect(others).toEqual([])
  expect(message).toMatchObject({ role: 'user' })
  expect(message?.content).toContain(
    '<NODES>\n# valves\n\nNothing yet.\n\nInsights:\n- Use $& valves.\n</NODES>',
  )
  expect(message?.content).not.toContain('{node list}')
})
