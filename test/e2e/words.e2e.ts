import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'

/** Words that nobody outside of the field has for what they mean here; forms of one stand together. */
const SPECIALIST: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    (
      'space,task stream,stream,method,seed,cell,case,case bank,experience,knowledge,concept,soft prompt,consolidation,teacher,student,baseline,' +
      'preset,ablation,variant,iteration,OOM,context,temperature,token,GGUF,encoder,vector,GPU layers,actor,role,writer,round,world,' +
      'house rules,Q-learning,episodic control,workflow,lesson,playbook,bullet,cheatsheet,strategy,replay,activation,Agent KB,EvoSC,Memento,BREW,' +
      'MCTS,REST,MCP,attempt,cosine,Wilson,skill,engine,framework,domain,recall,success rate,planner,executor,SearXNG,quantisation,learning curve'
    )
      .split(',')
      .map((word) => [word, new RegExp(`\\b${word}s?\\b`, 'i')]),
  ),
  K: /\bK\b/,
  Q: /\bQ\b/,
  pass: /\bpasses\b/,
}

/** The most that a screen shows at rest, and one of the Lab, whose tabs name five things of it. */
const MOST = 15
const MOST_IN_LAB = 18
const SCREENS = [
  'Ask',
  'Runs',
  'Experiments',
  'Curves',
  'Memory',
  'Task streams',
  'Models',
  'Settings',
  'Model and speed',
  'Connected programs',
  'Storage',
  'Advanced',
] as const

/** Screens behind the Lab, where methods are compared, and what most people leave as it is. */
const LAB: ReadonlySet<string> = new Set(['Runs', 'Experiments', 'Curves', 'Task streams', 'Advanced'])

const specialistWords = async (page: Page): Promise<string[]> => {
  // Key caps, what is folded away and what only screen readers have are not shown.
  const text = await page.locator('body').evaluate((body) => {
    const copy = (node: Node): string => {
      if (node instanceof HTMLElement && (node.matches('kbd, .sr-only') || !node.checkVisibility()))
        return ' '
      return node instanceof Text ? (node.nodeValue ?? '') : [...node.childNodes].map(copy).join(' ')
    }
    return copy(body)
  })
  return Object.entries(SPECIALIST).flatMap(([word, pattern]) => (pattern.test(text) ? [word] : []))
}

/** What stands in empty fields and is wider than they are. */
const cutWords = (page: Page): Promise<string[]> =>
  page.locator('main input[placeholder]:visible').evaluateAll((fields) =>
    fields.flatMap((field) => {
      if (!(field instanceof HTMLInputElement)) return []
      const { font, paddingLeft, paddingRight } = getComputedStyle(field)
      const pen = document.createElement('canvas').getContext('2d')
      if (!pen) return []
      pen.font = font
      const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
      return pen.measureText(field.placeholder).width > room ? [field.placeholder] : []
    }),
  )

test('every screen names itself, shows few specialist words at rest, and fields that can be read whole in a small window', async ({
  app,
}) => {
  const { page } = app
  const over: [screen: string, words: string[]][] = []
  const everyday = new Set<string>()
  const cut: string[] = []
  for (const screen of SCREENS) {
    await app.goTo(screen)
    if (['Task streams', 'Models', 'Connected programs', 'Settings'].includes(screen))
      await expect(page.getByRole('heading', { level: 1, name: screen })).toBeVisible()
    await page.waitForTimeout(400)
    const words = await specialistWords(page)
    if (words.length > (LAB.has(screen) ? MOST_IN_LAB : MOST)) over.push([screen, words])
    if (!LAB.has(screen)) for (const word of words) everyday.add(word)
    await page.setViewportSize({ width: 900, height: 700 })
    cut.push(...(await cutWords(page)))
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  expect(over).toEqual([])
  // One set for all everyday screens together, not one for each.
  expect(everyday.size, [...everyday].join(', ')).toBeLessThanOrEqual(MOST)
  expect(cut).toEqual([])
  await expect(page.getByRole('button', { name: 'Open memory: My memory' })).toBeVisible()
})
