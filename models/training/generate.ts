/**
 * Writes the demo model's training text: worlds of house rules, attempts by the expert in the app's own
 * environment, prompts by the app's own prompt builder. Output: tokenizer.json, train-*.bin, eval.bin.
 * Usage: tsx models/training/generate.ts --out DIR --samples N [--shard I --shards N]
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { inScope, recalledText, retell, systemText, taskText } from '../../src/core/ground/prompt'
import { createRng, type Rng } from '../../src/core/ground/random'
import { withRounds } from '../../src/core/ground/replies/reply-environment'
import { LAB_DB_MAX_ROUNDS } from '../../src/core/tasks/lab-db/environment'
import {
  HELD_OUT_KINDS,
  PEOPLE,
  PLACES,
  WORLD_NAMES,
  TABLE_KINDS,
  type TableKind,
} from '../../src/core/tasks/house-rules/vocabulary'
import { createWorld, type TableRules, type World } from '../../src/core/tasks/house-rules/world'
import { drawTask } from '../../src/core/tasks/house-rules/tasks'
import { CODE_BOOK } from '../../src/core/tasks/house-rules/world'
import { workflowText } from '../../src/core/methods/awm/messages'
import type { RecalledPart } from '../../src/core/ground/method'
import { loadPrompts } from '../../src/main/ground/prompts'
import { createEmbeddedDatabases } from '../../src/main/adapters/environments/sqljs-engine'
import { createExpertWorld, type ExpertWorld } from './expert-world'
import { attempt, factId, type ExpertAttempt } from './expert'
import {
  conceptDocument,
  errorLesson,
  experience,
  note,
  noteAbout,
  plan,
  rulesText,
  successLesson,
  summary,
  workflow,
  WRITING_PROMPTS,
  writingExamples,
  type Written,
} from './writing'
import { cheatsheet, playbook, shownPlaybook, strategy } from './playbooks'
import { ASSISTANT, END, USER, writeSamples, type Piece, type Sample } from './samples'
import { createEmbedder, trainTokenizer, withWholeForms, type Tokenizer } from './tokenizer'
import {
  createWorkplaceGenerator,
  WORKPLACE_PROMPTS,
  workplaceForms,
  type WorkplacePrompts,
} from './workplaces'
import { createDeskGenerator, DESK_PROMPTS, deskForms, type DeskPrompts } from './desks'
import { toolsOfDesks } from './desk-tools'

const BRANCHES = 6
const SAMPLES_PER_WORLD = 16
const MAX_PREFIX = 2400
function drawCount(rng: Rng, short: boolean): number {
  const roll = rng.next()
  // Short contexts come first in training: copying from the task and from one attempt is learned there, and much sooner.
  if (short) return roll < 0.45 ? 0 : roll < 0.8 ? 1 : 2
  if (roll < 0.12) return 0
  if (roll < 0.18) return 1
  if (roll < 0.26) return 2
  if (roll < 0.36) return 3
  if (roll < 0.72) return 4
  return roll < 0.92 ? 5 + rng.int(4) : 9 + rng.int(12)
}

/** `recalled`: what is shown before this task only. */
const branchOf = (made: ExpertAttempt, recalled = ''): Piece[] => [
  { text: `${recalled}${taskText(made.instruction, made.context)}`, learn: false, after: [END, ASSISTANT] },
  ...made.rounds.flatMap((round, i): Piece[] => [
    {
      text: round.completion,
      learn: made.learnable[i] === true,
      after: i + 1 < made.rounds.length ? [END, USER] : [END],
    },
    ...(i + 1 < made.rounds.length
      ? [{ text: round.observation ?? '', learn: false, after: [END, ASSISTANT] }]
      : []),
  ]),
]

const part = (text: string): RecalledPart => ({
  text,
  item: { kind: 'case', id: '', trajectoryId: null, title: '', score: null, scoreKind: '', reward: 1 },
})

/** What the agent sees before a task, and the attempts it rests on. */
interface LearnedItem {
  readonly errorLessons: readonly Written[]
  readonly successLessons: readonly Written[]
  readonly retrieved: readonly Written[]
  /** Behind the system prompt. Default: none. */
  readonly documents?: readonly Written[]
}

const caseText = (made: ExpertAttempt): Written => ({ text: retell(made), facts: made.facts })

const shown = (memory: LearnedItem): string =>
  recalledText({
    errorLessons: memory.errorLessons.map(({ text }) => part(text)),
    successLessons: memory.successLessons.map(({ text }) => part(text)),
    retrieved: memory.retrieved.map(({ text }) => part(text)),
  })

/** Learns to look values up in a list of notes: the skill everything else rests on. */
function drill(rng: Rng, worlds: readonly World[], lineCount: number): Sample {
  const facts = worlds.flatMap((world) =>
    Array.from({ length: lineCount }, () => {
      const task = drawTask(rng, world)
      return { world: world.name, facts: task.facts }
    }),
  )
  const lines = facts.map(
    ({ world, facts: of }) => `${world} rules: ${of.map((f) => `${f.key} ${f.value}`).join(', ')}`,
  )
  const branches = Array.from({ length: BRANCHES }, (): Piece[] =>
    Array.from({ length: 3 }).flatMap((_, i): Piece[] => {
      const chosen = rng.pick(facts)
      return [
        { text: `${i === 0 ? '' : '\n'}${chosen.world} rules:`, learn: false },
        ...rng.sample(chosen.facts, 3).flatMap((fact, j): Piece[] => [
          { text: `${j === 0 ? '' : ','} ${fact.key}`, learn: false },
          { text: ` ${fact.value}`, learn: true },
        ]),
      ]
    }),
  )
  return {
    system: prompts['lab-db'],
    recalled: `Past attempts:\n\n${rng.sample(lines, lines.length).join('\n')}\n\n`,
    branches,
    groups: [],
  }
}

interface Generator {
  next(): Sample
}

// oxlint-disable-next-line max-lines-per-function -- one sequence of steps of the training recipe, read from top to bottom
function createGenerator(
  environment: ExpertWorld,
  seed: string,
  kinds: readonly TableKind[],
  options: {
    readonly drills: number
    readonly writing: number
    /** Share of samples with digests (strategies, cheatsheets, playbooks) or several kinds side by side. */
    readonly mixed: number
    readonly phrasing: 'usual' | 'held-out'
    readonly short: boolean
  },
): Generator {
  let index = 0
  const rng = createRng(`training/${seed}`)
  let world = createWorld(`train:${seed}/0`, kinds)
  let other = world
  let pool: ExpertAttempt[] = []
  let otherPool: ExpertAttempt[] = []
  const nothing: ReadonlySet<string> = new Set()
  const begin = (): void => {
    world = createWorld(`train:${seed}/${index}`, kinds)
    const sameKinds = world.tables.map((table) => table.kind)
    for (let i = 0; other === world || other.name === world.name; i++)
      other = createWorld(`train:${seed}/${index}/${i}`, sameKinds)
    pool = []
    otherPool = Array.from({ length: 12 }, () =>
      attempt(environment, drawTask(rng, other), randomKnown(rng, other), false),
    )
    pool = Array.from({ length: 8 }, () => attempt(environment, drawTask(rng, world), nothing, false))
  }
  const chooseCases = (focus: readonly TableRules[], count: number): ExpertAttempt[] => {
    const names = new Set(focus.map((table) => table.kind.table))
    const near = pool.filter((made) => names.has(made.table))
    const wrong = rng.chance(0.3) ? 1 + rng.int(Math.max(1, Math.ceil(count / 2))) : 0
    const wrongNear = otherPool.filter((made) => names.has(made.table))
    const fromNear = rng.chance(0.75) ? near : pool
    return rng.sample(
      [...rng.sample(fromNear, count - wrong), ...rng.sample(rng.chance(0.7) ? wrongNear : otherPool, wrong)],
      count,
    )
  }
  /** Now and then an attempt that takes a code for another one: what it notes is wrong, and so is its answer. */
  const mistaken = (): ExpertAttempt => {
    const task = drawTask(rng, world)
    const code = task.facts.find((fact) => fact.look.includes(CODE_BOOK))
    const known = randomKnown(rng, world)
    if (!code) return attempt(environment, task, known, false)
    known.add(factId(world.name, code.key))
    const other = /\d/.test(code.value) ? String(10 + rng.int(90)) : rng.pick([...'ABCDEFGHJKLMNPQRSTUVWXYZ'])
    return attempt(environment, task, known, false, { key: code.key, value: other })
  }
  const lessonFrom = (near: readonly ExpertAttempt[]): Written | undefined => {
    const solved = near.filter((made) => made.reward === 1)
    const failed = near.filter((made) => made.reward === 0)
    if (solved.length < 2) return undefined
    const successes = rng.sample(solved, 2)
    return failed.length > 0 && rng.chance(0.5)
      ? errorLesson(successes.slice(0, 1 + rng.int(2)), rng.pick(failed))
      : successLesson(successes[0] as ExpertAttempt, successes[1] as ExpertAttempt)
  }
  /** Concept documents, the focus' own among them. */
  const documents = (focus: readonly TableRules[]): LearnedItem => {
    const tables = rng.sample([...new Set([...focus, ...rng.sample(world.tables, 2)])], 3)
    const retrieved = tables.map((table) => {
      const about = { worldName: world.name, table: table.kind.table }
      const near = pool.filter((made) => made.table === about.table)
      return conceptDocument(
        about,
        rng.sample(near, 1 + rng.int(8)).flatMap(({ facts }) => facts),
      )
    })
    return { errorLessons: [], successLessons: [], retrieved }
  }
  const experiences = (attempts: readonly ExpertAttempt[]): LearnedItem => ({
    errorLessons: [],
    successLessons: [],
    retrieved: attempts.slice(0, 3).map(experience),
  })
  const lessons = (focus: readonly TableRules[], most: number): Written[] => {
    const names = new Set(focus.map((table) => table.kind.table))
    const near = pool.filter((made) => names.has(made.table))
    return Array.from({ length: rng.int(most + 1) }, () => lessonFrom(rng.chance(0.7) ? near : pool)).flatMap(
      (lesson) => lesson ?? [],
    )
  }
  const workflows = (attempts: readonly ExpertAttempt[]): Written[] =>
    attempts
      .filter((made) => made.reward === 1)
      .map((made) => ({ text: workflowText(workflow(made)), facts: made.facts }))
  /** A cheatsheet, strategies or a playbook, of attempts at these tables among others. */
  const digest = (attempts: readonly ExpertAttempt[]): LearnedItem => {
    const roll = rng.next()
    const read = rng.sample([...attempts, ...rng.sample(pool, rng.int(20))], 30)
    if (roll < 0.36)
      return { errorLessons: [], successLessons: [], retrieved: attempts.map((made) => strategy([made])) }
    if (roll < 0.6)
      return {
        errorLessons: [],
        successLessons: [],
        retrieved: [cheatsheet(read.flatMap(({ facts }) => facts))],
      }
    return { ...shownPlaybook(playbook(rng, read)), retrieved: [] }
  }
  /** Kinds side by side, in any order, and much that has nothing to do with the task. */
  const mixed = (focus: readonly TableRules[], count: number): LearnedItem => {
    const near = chooseCases(focus, 1 + rng.int(4))
    const others = rng.sample(rng.chance(0.8) ? pool : [...pool, ...otherPool], Math.min(count + 2, 12))
    const texts = (attempts: readonly ExpertAttempt[]): Written[] =>
      attempts.map((made) => {
        const roll = rng.next()
        if (roll < 0.35) return caseText(made)
        if (roll < 0.6) return strategy([made])
        if (roll < 0.75) return summary(made)
        return roll < 0.9 ? experience(made) : cheatsheet(made.facts)
      })
    const shownLessons = lessons(focus, 4)
    const bullets = rng.chance(0.3)
      ? shownPlaybook(playbook(rng, rng.sample([...near, ...others], 8)))
      : { errorLessons: [], successLessons: [] }
    return {
      errorLessons: [...shownLessons.slice(0, 2), ...bullets.errorLessons],
      successLessons: rng.sample(
        [
          ...shownLessons.slice(2),
          ...bullets.successLessons,
          ...(rng.chance(0.4) ? workflows(rng.sample([...near, ...others], 3)) : []),
        ],
        12,
      ),
      retrieved: rng.sample([...texts(near), ...texts(others)], 16),
      ...(rng.chance(0.3) && { documents: documents(focus).retrieved.slice(0, 2) }),
    }
  }
  /** What some method would show: attempts, lessons of two kinds, workflows, notes, summaries, digests, or kinds mixed. */
  const remember = (focus: readonly TableRules[], count: number): LearnedItem => {
    const attempts = chooseCases(focus, count)
    const plain: LearnedItem = { errorLessons: [], successLessons: [], retrieved: attempts.map(caseText) }
    if (count > 0 && rng.chance(options.mixed))
      return rng.chance(0.55) ? digest(attempts) : mixed(focus, count)
    const roll = rng.next()
    if (count === 0 || roll < 0.55) return plain
    if (roll < 0.76) {
      return {
        errorLessons: lessons(focus, 5),
        successLessons: lessons(focus, 5),
        retrieved: rng.chance(0.4) ? [] : plain.retrieved,
      }
    }
    if (roll < 0.84) return { errorLessons: [], successLessons: workflows(attempts), retrieved: [] }
    if (roll < 0.95) {
      if (!rng.chance(0.6)) return experiences(attempts)
      const read = documents(focus)
      // Where the app puts them.
      return rng.chance(0.6) ? { ...read, retrieved: [], documents: read.retrieved } : read
    }
    if (roll < 0.98)
      return {
        ...plain,
        retrieved: attempts.map((made) => {
          const { facts } = rng.chance(0.6) ? made : successLesson(made, rng.pick(pool))
          const about = noteAbout({
            ...note(made),
            ...(facts.length > 0 ? { context: rulesText(facts) } : {}),
          })
          return { text: `${retell(made)}\n${about}`, facts: [...made.facts, ...facts] }
        }),
      }
    return { ...plain, retrieved: attempts.map((made) => (rng.chance(0.6) ? summary(made) : caseText(made))) }
  }
  const writing = (): Sample | undefined => {
    const pick = (list: readonly ExpertAttempt[]): ExpertAttempt | undefined =>
      list.length === 0 ? undefined : rng.pick(list)
    const mixed = rng.chance(0.15) ? [...pool, ...otherPool] : pool
    const made = writingExamples(
      rng,
      {
        solved: () => pick(mixed.filter((one) => one.reward === 1)),
        failed: () => pick(mixed.filter((one) => one.reward === 0)),
        any: () => rng.pick(mixed),
        like: (of) =>
          pick(
            mixed.filter((one) => one.worldName === of.worldName && one.table === of.table && one !== of),
          ) ?? of,
        slipped: () => {
          const known = new Set(
            world.tables.flatMap(({ kind }) =>
              [...kind.statuses, kind.who, kind.place, kind.amount, kind.date, kind.flag].map((key) =>
                factId(world.name, key),
              ),
            ),
          )
          return attempt(environment, drawTask(rng, world), known, true)
        },
      },
      BRANCHES,
      templates.text('rubrics-lab-db'),
    )
    return (
      made && {
        system: prompts[made.id],
        recalled: '',
        branches: made.examples.map(({ user, reply }): Piece[] => [
          { text: user, learn: false, after: [END, ASSISTANT] },
          { text: reply, learn: true, after: [END] },
        ]),
        groups: [],
      }
    )
  }
  /** Tasks that come with a plan of their own, as Agent KB makes it. */
  const planned = (focus: readonly TableRules[]): Sample => {
    const made = Array.from({ length: BRANCHES }, () => {
      const task = drawTask(rng, world, { tables: focus, phrasing: options.phrasing })
      const near = chooseCases(focus, rng.int(4))
      const { text, facts } = plan(
        attempt(environment, task, new Set(), false),
        near.flatMap((one) => one.facts),
      )
      const known = new Set(facts.map((fact) => factId(fact.world, fact.key)))
      const memory: LearnedItem = { errorLessons: [], successLessons: [{ text, facts }], retrieved: [] }
      return { solved: attempt(environment, task, known, false), memory }
    })
    return {
      system: prompts['lab-db'],
      recalled: '',
      branches: made.map(({ solved, memory }) => branchOf(solved, shown(memory))),
      groups: made.map(({ solved }) => [1, solved.unknownAtStart, solved.keys.length] as const),
    }
  }
  return {
    next() {
      if (index % SAMPLES_PER_WORLD === 0) begin()
      index++
      if (rng.chance(options.writing)) {
        const sample = writing()
        if (sample) return sample
      }
      if (rng.chance(options.drills))
        return drill(rng, rng.chance(0.5) ? [world, other] : [world], options.short ? 3 : 14)
      const focus = rng.sample(world.tables, rng.chance(0.6) ? 1 : 2)
      if (!options.short && rng.chance(0.07)) return planned(focus)
      let memory = remember(focus, drawCount(rng, options.short))
      while (shown(memory).length > MAX_PREFIX * 2.6)
        memory =
          memory.retrieved.length > 0
            ? { ...memory, retrieved: memory.retrieved.slice(1) }
            : { ...memory, successLessons: memory.successLessons.slice(1) }
      const read = memory.documents ?? []
      const written = [...read, ...memory.errorLessons, ...memory.successLessons, ...memory.retrieved]
      const known = new Set(written.flatMap(({ facts }) => facts.map((fact) => factId(fact.world, fact.key))))
      const made = Array.from({ length: BRANCHES }, () =>
        attempt(
          environment,
          drawTask(rng, world, {
            tables: rng.chance(0.85) ? focus : world.tables,
            phrasing: options.phrasing,
          }),
          known,
          rng.chance(0.05),
        ),
      )
      pool.push(...made, ...(rng.chance(0.5) ? [mistaken()] : []))
      // Past attempts of an experienced agent: some rules known already, so their text is short and direct.
      pool.push(attempt(environment, drawTask(rng, world, { tables: focus }), randomKnown(rng, world), false))
      return {
        system: systemText(prompts['lab-db'], { documents: read.map(({ text }) => part(text)) }),
        recalled: shown(memory),
        branches: made.map((one) => branchOf(one)),
        groups: made.map((m) => [written.length, m.unknownAtStart, m.keys.length] as const),
      }
    },
  }
}

/** What an agent halfway through a stream might know. */
function randomKnown(rng: Rng, world: World): Set<string> {
  const share = rng.next()
  const known = new Set<string>()
  for (const { kind, flagValue } of world.tables) {
    for (const key of [
      ...kind.statuses,
      kind.who,
      kind.place,
      kind.amount,
      kind.date,
      ...(flagValue ? [kind.flag] : []),
    ]) {
      if (rng.chance(share)) known.add(factId(world.name, key))
    }
  }
  return known
}

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'models/training/work' },
    samples: { type: 'string', default: '2000' },
    shard: { type: 'string', default: '0' },
    shards: { type: 'string', default: '1' },
    drills: { type: 'string', default: '0.08' },
    /** Share of writing roles. */
    writing: { type: 'string', default: '0.16' },
    /** Share of samples at workplaces. */
    workplaces: { type: 'string', default: '0.5' },
    /** Share of these with the handbook open. */
    pages: { type: 'string', default: '0.25' },
    /** Share of samples at desks; the rest is divided as `workplaces` says. */
    desks: { type: 'string', default: '0' },
    /** Share of digests and of kinds side by side. */
    mixed: { type: 'string', default: '0.3' },
    /** Writes `short-*.bin` instead: few recalled attempts, for the first part of training. */
    short: { type: 'boolean', default: false },
    vocabulary: { type: 'string', default: '2048' },
  },
})
mkdirSync(values.out, { recursive: true })
const templates = await loadPrompts(new URL('../../resources/prompts', import.meta.url).pathname)
const prompts = Object.fromEntries(
  (['lab-db', ...WRITING_PROMPTS] as const).map((id) => [
    id,
    withRounds(inScope(templates.text(id), []), LAB_DB_MAX_ROUNDS),
  ]),
) as Readonly<Record<'lab-db' | (typeof WRITING_PROMPTS)[number], string>>
const workplacePrompts = Object.fromEntries(
  WORKPLACE_PROMPTS.map((id) => [id, templates.text(id)]),
) as unknown as WorkplacePrompts
const deskPrompts = Object.fromEntries(
  DESK_PROMPTS.map((id) => [id, templates.text(id)]),
) as unknown as DeskPrompts
const withDesks = Number(values.desks) > 0
const deskTools = withDesks ? await toolsOfDesks() : []
const hashes = Object.fromEntries(
  ['lab-db', ...WRITING_PROMPTS, ...WORKPLACE_PROMPTS, ...(withDesks ? DESK_PROMPTS : [])].map((id) => [
    id,
    templates.sha256(id),
  ]),
)
writeFileSync(join(values.out, 'prompts.json'), JSON.stringify(hashes))
const environment = createExpertWorld(await createEmbeddedDatabases())

const tokenizerPath = join(values.out, 'tokenizer.json')
if (!existsSync(tokenizerPath)) {
  const generator = createGenerator(environment, 'tokenizer', [...TABLE_KINDS], {
    drills: 0.1,
    writing: 0.2,
    mixed: 0.3,
    short: false,
    phrasing: 'usual',
  })
  const text = Array.from({ length: 1200 }, () => {
    const sample = generator.next()
    return [sample.recalled, ...sample.branches.flatMap((b) => b.map((piece) => piece.text))].join('\n')
  })
  // Every word that is ever copied becomes one token in each of its forms, so that copying is a single step.
  const people = [...PEOPLE, ...PLACES, ...WORLD_NAMES]
  const copied = [
    ...TABLE_KINDS.flatMap((k) => [...k.statuses, k.table, k.who, k.status, k.amount, k.place, k.flag]),
    ...people,
    ...people.map((word) => word.toLowerCase()),
  ]
  const codes = [...'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789?']
  const forms = [...copied, ...copied.map((word) => word.toUpperCase()), ...codes].flatMap((word) => [
    `'${word}'`,
    `, ${word}`,
  ])
  const repeated = Array.from(
    { length: 400 },
    () => `${Object.values(prompts).join('\n')}\n${forms.join('\n')}`,
  )
  const names = [...PEOPLE, ...PLACES]
  const tokenizer = withWholeForms(
    trainTokenizer([...text, ...repeated].join('\n'), Number(values.vocabulary), 60),
    names.flatMap((name) => [` ${name}`, name, name.toLowerCase()]),
  )
  writeFileSync(tokenizerPath, JSON.stringify(tokenizer))
  console.error(`tokenizer: ${tokenizer.pieces.length} pieces, ${text.join('').length} characters`)
}
const tokenizer = withWholeForms(JSON.parse(readFileSync(tokenizerPath, 'utf8')) as Tokenizer, [
  ...workplaceForms(workplacePrompts),
  ...(withDesks ? await deskForms(deskPrompts, deskTools) : []),
])
writeFileSync(tokenizerPath, JSON.stringify(tokenizer))
const encode = createEmbedder(tokenizer)
if (!existsSync(join(values.out, 'eval.bin'))) {
  const workplaces = createWorkplaceGenerator(workplacePrompts, 'evaluation', { writing: 0, pages: 0.1 })
  const samples: Sample[] = []
  for (let i = 0; i < 48; i++) samples.push(await workplaces.next())
  writeSamples(join(values.out, 'eval-workplaces.bin'), samples, encode)
  for (const [name, chosen, phrasing] of [
    ['eval', TABLE_KINDS, 'usual'],
    ['eval-phrasing', TABLE_KINDS, 'held-out'],
    ['eval-kinds', HELD_OUT_KINDS, 'usual'],
  ] as const) {
    // Held-out kinds are fewer than a world's tables, so such worlds are smaller.
    const held = createGenerator(environment, `evaluation/${name}`, chosen, {
      drills: 0,
      writing: 0,
      mixed: 0.3,
      short: false,
      phrasing,
    })
    const listing = createGenerator(environment, 'evaluation/drills', chosen, {
      drills: 1,
      writing: 0,
      mixed: 0,
      short: false,
      phrasing,
    })
    const drills = name === 'eval' ? Array.from({ length: 12 }, () => listing.next()) : []
    writeSamples(
      join(values.out, `${name}.bin`),
      [...Array.from({ length: 60 }, () => held.next()), ...drills],
      encode,
    )
  }
}
if (withDesks && !existsSync(join(values.out, 'eval-desks.bin'))) {
  const desks = createDeskGenerator(deskPrompts, deskTools, 'evaluation')
  const samples: Sample[] = []
  for (let i = 0; i < 40; i++) samples.push(await desks.next())
  writeSamples(join(values.out, 'eval-desks.bin'), samples, encode)
}
for (let shard = Number(values.shard); shard < Number(values.shard) + Number(values.shards); shard++) {
  const started = Date.now()
  const name = values.short ? 'short' : 'train'
  const generator = createGenerator(environment, `${name}-${shard}`, TABLE_KINDS, {
    drills: Number(values.drills),
    writing: Number(values.writing),
    mixed: values.short ? 0 : Number(values.mixed),
    short: values.short,
    phrasing: 'usual',
  })
  const workplaces = createWorkplaceGenerator(workplacePrompts, `${name}-${shard}`, {
    writing: Number(values.writing) / 2,
    pages: Number(values.pages),
  })
  const desks = createDeskGenerator(deskPrompts, deskTools, `${name}-${shard}`)
  const rng = createRng(`families/${name}-${shard}`)
  const samples: Sample[] = []
  for (let i = 0; i < Number(values.samples); i++) {
    // Without desks the draws are as they were before there were any.
    if (withDesks && rng.chance(Number(values.desks))) samples.push(await desks.next())
    else samples.push(rng.chance(Number(values.workplaces)) ? await workplaces.next() : generator.next())
  }
  const tokens = writeSamples(join(values.out, `${name}-${shard}.bin`), samples, encode)
  console.error(`shard ${shard}: ${samples.length} samples, ${tokens} tokens, ${Date.now() - started} ms`)
}
