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

/** The most that a screen shows at rest. */
const MOST = 15
const SCREENS = [
  'Start',
  'Ask',
  'Run',
  'Experiments',
  'Curves',
  'Memory',
  'Streams',
  'Models',
  'Share',
  'Settings',
] as const

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

test('resting screens show few specialist words', async ({ app }) => {
  const { page } = app
  const counts: Record<string, string[]> = {}
  await page.keyboard.press('Alt+0')
  for (const screen of SCREENS) {
    if (screen !== 'Start') await app.goTo(screen)
    await page.waitForTimeout(400)
    counts[screen] = await specialistWords(page)
  }
  const over = Object.entries(counts).filter(([, words]) => words.length > MOST)
  expect(over).toEqual([])
})
