/** What the expert writes for the methods that keep strategies, cheatsheets and playbooks, and how these are shown to the agent. */
import {
  bulletLine,
  curateMessages as aceCurateMessages,
  reflectMessages,
  type BulletText,
  type Tag,
} from '../../src/core/methods/ace/messages'
import { curateMessages, synthesizeMessages } from '../../src/core/methods/dynamic-cheatsheet/messages'
import {
  contrastMessages,
  strategyMessages,
  strategyText,
  type StrategyText,
} from '../../src/core/methods/reasoning-bank/messages'
import type { ChatMessage } from '../../src/core/ground/ports'
import type { Rng } from '../../src/core/ground/random'
import type { Bullet } from '../../src/core/memory/bullets/bullet'
import { factId, type ExpertAttempt, type StatedFact } from './expert'

export const PLAYBOOK_PROMPTS = [
  'reasoning-bank-success',
  'reasoning-bank-failure',
  'reasoning-bank-contrast',
  'dynamic-cheatsheet-curate',
  'dynamic-cheatsheet-synthesize',
  'ace-reflect',
  'ace-curate',
] as const
export type PlaybookPrompt = (typeof PLAYBOOK_PROMPTS)[number]

/** How often each role is practised, on the scale of `WEIGHTS` in writing.ts. */
export const PLAYBOOK_WEIGHTS: Readonly<Record<PlaybookPrompt, number>> = {
  'reasoning-bank-success': 12,
  'reasoning-bank-failure': 12,
  'reasoning-bank-contrast': 6,
  'dynamic-cheatsheet-curate': 14,
  'dynamic-cheatsheet-synthesize': 7,
  'ace-reflect': 16,
  'ace-curate': 18,
}

/** A text and the facts that can be read off it. */
interface Written {
  readonly text: string
  readonly facts: readonly StatedFact[]
}

const id = ({ world, key }: StatedFact): string => factId(world, key)

/** By world and key, in the order in which they came up; the last word on each counts. */
const newest = (facts: readonly StatedFact[]): StatedFact[] => [
  ...new Map(facts.map((fact) => [id(fact), fact])).values(),
]

const rules = (facts: readonly StatedFact[]): string =>
  [...new Set(facts.map(({ world }) => world))]
    .map((world) => {
      const own = facts.filter((fact) => fact.world === world)
      return `${world} rules: ${own.map((fact) => `${fact.key} ${fact.value}`).join(', ')}.`
    })
    .join(' ')

const open = (made: ExpertAttempt): readonly string[] => {
  const held = new Set(made.facts.map(id))
  return made.keys.filter((key) => !held.has(key)).map((key) => key.slice(made.worldName.length + 1))
}

const lookUp = (keys: readonly string[]): string => `Look up ${keys.join(' and ')} first.`

/** What an attempt, or several at one task, teach: the rules they rest on, and what none of them found out. */
export function strategy(attempts: readonly ExpertAttempt[]): StrategyText & Written {
  const [made] = attempts as [ExpertAttempt]
  const facts = newest(attempts.flatMap((each) => each.facts))
  const held = new Set(facts.map(id))
  const missing = open(made).filter((key) => !held.has(factId(made.worldName, key)))
  const content = [
    ...(facts.length > 0 ? [rules(facts)] : []),
    missing.length > 0 ? lookUp(missing) : 'Note them first.',
  ].join(' ')
  const written = {
    title: `${made.worldName} ${made.table}`,
    description: `The rules of ${made.worldName} for ${made.table}.`,
    content,
  }
  return { ...written, text: strategyText(written), facts }
}

/** Facts of a cheatsheet; what a 1,200-character text has room for. */
const MOST_SHEET_FACTS = 56

/** The cheatsheet that holds these facts, oldest first. */
export function cheatsheet(facts: readonly StatedFact[]): Written {
  const held = newest(facts).slice(-MOST_SHEET_FACTS)
  return { text: held.length === 0 ? 'No rule is known yet.' : rules(held), facts: held }
}

type Shown = Pick<Bullet, 'section' | 'content' | 'helpful' | 'harmful'> & Pick<Written, 'facts'>

const asBullet = (rng: Rng, facts: readonly StatedFact[]): Shown => ({
  section: rng.chance(0.9) ? 'facts' : rng.chance(0.5) ? 'strategies' : 'mistakes',
  content: rules(facts),
  helpful: rng.int(6),
  harmful: rng.chance(0.2) ? 1 : 0,
  facts,
})

/** A playbook as it grows: each attempt adds what was not in it. */
export function playbook(rng: Rng, attempts: readonly ExpertAttempt[]): readonly Shown[] {
  const known = new Map<string, string>()
  return attempts.flatMap((made) => {
    const fresh = made.facts.filter((fact) => known.get(id(fact)) !== fact.value)
    for (const fact of fresh) known.set(id(fact), fact.value)
    return fresh.length === 0 ? [] : [asBullet(rng, fresh)]
  })
}

/** The bullets as the agent sees them: mistakes apart, each with its number. */
export function shownPlaybook(bullets: readonly Shown[]): {
  readonly errorLessons: readonly Written[]
  readonly successLessons: readonly Written[]
} {
  const all = bullets.map((bullet, i) => ({
    section: bullet.section,
    text: bulletLine(bullet, i + 1),
    facts: bullet.facts,
  }))
  return {
    errorLessons: all.filter(({ section }) => section === 'mistakes'),
    successLessons: all.filter(({ section }) => section !== 'mistakes'),
  }
}

/** What each bullet did for an attempt that needed some facts: right ones helped, a wrong value misled, others did nothing. */
function tagsOf(
  made: ExpertAttempt,
  truth: ReadonlyMap<string, string>,
  bullets: readonly Shown[],
): { readonly bullet: number; readonly tag: Tag }[] {
  const needed = new Set(made.keys)
  return bullets
    .flatMap(({ facts }, i) => {
      const own = facts.filter((fact) => needed.has(id(fact)))
      if (own.length === 0) return []
      const isWrong = own.some((fact) => (truth.get(id(fact)) ?? fact.value) !== fact.value)
      return [{ bullet: i + 1, tag: isWrong ? ('harmful' as const) : ('helpful' as const) }]
    })
    .slice(0, 8)
}

const insightOf = (made: ExpertAttempt): string => {
  const missing = open(made)
  return [
    ...(made.facts.length > 0 ? [rules(made.facts)] : []),
    ...(missing.length > 0 ? [lookUp(missing)] : []),
  ].join(' ')
}

const diagnosisOf = (made: ExpertAttempt): string => {
  const missing = open(made)
  if (made.reward === 1) return 'The rules were known and noted.'
  return missing.length > 0 ? `Not looked up: ${missing.join(', ')}.` : 'A rule was taken wrong.'
}

/** One question to a writing role and what the expert replies, not yet as JSON. */
export interface PlaybookExample {
  readonly messages: readonly ChatMessage[]
  readonly reply: unknown
}

/** Where the roles take their attempts from. */
interface Attempts {
  solved(): ExpertAttempt | undefined
  failed(): ExpertAttempt | undefined
  any(): ExpertAttempt
  like(attempt: ExpertAttempt): ExpertAttempt
}

/** One example of a role; undefined when there is nothing to write about. */
export function playbookExample(
  rng: Rng,
  role: PlaybookPrompt,
  attempts: Attempts,
): PlaybookExample | undefined {
  const some = (most: number): ExpertAttempt[] =>
    Array.from({ length: rng.int(most + 1) }, () => attempts.any())
  switch (role) {
    case 'reasoning-bank-success':
    case 'reasoning-bank-failure': {
      const made = role === 'reasoning-bank-success' ? attempts.solved() : attempts.failed()
      if (!made) return undefined
      const { title, description, content } = strategy([made])
      return {
        messages: strategyMessages('', made),
        reply: { strategies: [{ title, description, content }] },
      }
    }
    case 'reasoning-bank-contrast': {
      const made = attempts.any()
      const several = [made, ...Array.from({ length: 1 + rng.int(2) }, () => attempts.like(made))]
      const { title, description, content } = strategy(several)
      return {
        messages: contrastMessages('', several),
        reply: { strategies: [{ title, description, content }] },
      }
    }
    case 'dynamic-cheatsheet-curate': {
      const before = rng.chance(0.1) ? null : cheatsheet(some(24).flatMap(({ facts }) => facts))
      const made = attempts.any()
      const after = cheatsheet([...(before?.facts ?? []), ...made.facts])
      return { messages: curateMessages('', before?.text ?? '', made), reply: { cheatsheet: after.text } }
    }
    case 'dynamic-cheatsheet-synthesize': {
      const next = attempts.any()
      const before = rng.chance(0.1) ? null : cheatsheet(some(18).flatMap(({ facts }) => facts))
      const near = Array.from({ length: rng.int(4) }, () => attempts.like(next))
      const after = cheatsheet([...(before?.facts ?? []), ...near.flatMap(({ facts }) => facts)])
      return {
        messages: synthesizeMessages('', before?.text ?? '', near, next),
        reply: { cheatsheet: after.text },
      }
    }
    case 'ace-reflect': {
      const made = attempts.any()
      const bullets = playbook(rng, [...some(10), attempts.like(made), ...some(2)])
      const truth = new Map(made.facts.map((fact) => [id(fact), fact.value]))
      const tags = tagsOf(made, truth, bullets)
      return {
        messages: reflectMessages('', bullets, made),
        reply: {
          diagnosis: diagnosisOf(made),
          insight: insightOf(made),
          ...(bullets.length > 0 && { tags }),
        },
      }
    }
    case 'ace-curate': {
      const made = attempts.any()
      const bullets = playbook(rng, [...some(14), ...(rng.chance(0.6) ? [attempts.like(made)] : [])])
      const known = new Map(
        bullets.flatMap(({ facts }) => facts.map((fact) => [id(fact), fact.value] as const)),
      )
      const fresh = made.facts.filter((fact) => known.get(id(fact)) !== fact.value)
      const written: BulletText[] = fresh.length === 0 ? [] : [{ section: 'facts', content: rules(fresh) }]
      return {
        messages: aceCurateMessages('', bullets, made, {
          diagnosis: diagnosisOf(made),
          insight: insightOf(made),
        }),
        reply: { bullets: written },
      }
    }
  }
}
