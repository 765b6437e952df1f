/**
 * Writes the demo model's training text: worlds of house rules, attempts by the expert in the app's own
 * environment, prompts by the app's own prompt builder. Output: tokenizer.json, train-*.bin, eval.bin.
 * Usage: tsx models/training/generate.ts --out DIR --samples N [--shard I --shards N]
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { recalledText, retell, taskText } from '../../src/core/agent/prompt'
import { createRng, type Rng } from '../../src/core/random'
import { createLabDbEnvironment } from '../../src/core/tasks/lab-db/environment'
import type { Environment } from '../../src/core/tasks/environment'
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
import { createSqlJsEngine } from '../../src/main/adapters/environments/sqljs-engine'
import { attempt, type ExpertAttempt } from './expert'
import { createEncoder, SPECIAL, trainTokenizer, type Tokenizer } from './tokenizer'

const BRANCHES = 6
const SAMPLES_PER_WORLD = 16
const MAX_PREFIX = 2400
const token = (name: (typeof SPECIAL)[number]): number => SPECIAL.indexOf(name)
const [BOS, SYSTEM, USER, ASSISTANT, END] = [
  token('<s>'),
  token('<|system|>'),
  token('<|user|>'),
  token('<|assistant|>'),
  token('<|end|>'),
]

/** A piece of a branch: text and whether its tokens are learned. */
interface Piece {
  readonly text: string
  readonly learn: boolean
  readonly after?: readonly number[]
}

interface Sample {
  readonly recalled: string
  readonly branches: readonly (readonly Piece[])[]
  /** Evaluation group: cases shown, facts unknown at the start, facts needed. */
  readonly groups: readonly (readonly [number, number, number])[]
}

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

const branchOf = (made: ExpertAttempt): Piece[] => [
  { text: taskText(made.instruction, made.context), learn: false, after: [END, ASSISTANT] },
  ...made.rounds.flatMap((round, i): Piece[] => [
    { text: round.completion, learn: made.learnable[i] === true, after: [END] },
    ...(i + 1 < made.rounds.length
      ? [{ text: round.observation ?? '', learn: false, after: [END, ASSISTANT] }]
      : []),
  ]),
]

const shown = (cases: readonly ExpertAttempt[]): string =>
  recalledText({
    errorLessons: [],
    successLessons: [],
    retrieved: cases.map((made) => ({
      text: retell(made),
      item: {
        kind: 'case',
        id: '',
        trajectoryId: null,
        title: '',
        score: null,
        scoreKind: '',
        reward: made.reward,
      },
    })),
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
        { text: `${i === 0 ? '' : '\n'}${chosen.world} rules:`, learn: false, ...(i === 0 ? {} : {}) },
        ...rng.sample(chosen.facts, 3).flatMap((fact, j): Piece[] => [
          { text: `${j === 0 ? '' : ','} ${fact.key}`, learn: false },
          { text: ` ${fact.value}`, learn: true },
        ]),
      ]
    }),
  )
  return {
    recalled: `Past attempts:\n\n${rng.sample(lines, lines.length).join('\n')}\n\n`,
    branches,
    groups: [],
  }
}

interface Generator {
  next(): Sample
}

function createGenerator(
  environment: Environment,
  seed: string,
  kinds: readonly TableKind[],
  options: { readonly drills: number; readonly phrasing: 'usual' | 'held-out'; readonly short: boolean },
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
  return {
    next() {
      if (index % SAMPLES_PER_WORLD === 0) begin()
      index++
      if (rng.chance(options.drills))
        return drill(rng, rng.chance(0.5) ? [world, other] : [world], options.short ? 3 : 14)
      const focus = rng.sample(world.tables, rng.chance(0.6) ? 1 : 2)
      let cases = chooseCases(focus, drawCount(rng, options.short))
      while (shown(cases).length > MAX_PREFIX * 2.6) cases = cases.slice(1)
      const known = new Set(cases.flatMap((made) => [...made.stated]))
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
      pool.push(...made)
      // Past attempts of an experienced agent: some rules known already, so their text is short and direct.
      pool.push(attempt(environment, drawTask(rng, world, { tables: focus }), randomKnown(rng, world), false))
      return {
        recalled: shown(cases),
        branches: made.map(branchOf),
        groups: made.map((m) => [cases.length, m.unknownAtStart, m.keys.length] as const),
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
      if (rng.chance(share)) known.add(`${world.name}/${key}`)
    }
  }
  return known
}

function writeSamples(
  path: string,
  samples: readonly Sample[],
  encode: (text: string) => number[],
  system: string,
): number {
  const out: number[] = []
  const groups: unknown[] = []
  let total = 0
  for (const sample of samples) {
    const prefix = [BOS, SYSTEM, ...encode(system), END, USER, ...encode(sample.recalled)] as number[]
    const branches = sample.branches.map((pieces) => {
      const ids: number[] = []
      const mask: number[] = []
      for (const piece of pieces) {
        const own = encode(piece.text)
        ids.push(...own)
        mask.push(...own.map(() => (piece.learn ? 1 : 0)))
        for (const [i, id] of (piece.after ?? []).entries()) {
          ids.push(id)
          mask.push(piece.learn && i === 0 ? 1 : 0)
        }
      }
      return { ids, mask }
    })
    out.push(prefix.length, branches.length, ...branches.map((b) => b.ids.length), ...prefix)
    for (const { ids, mask } of branches) out.push(...ids, ...mask)
    groups.push(sample.groups)
    total += prefix.length + branches.reduce((sum, b) => sum + b.ids.length, 0)
  }
  writeFileSync(path, Buffer.from(Uint16Array.from(out).buffer))
  writeFileSync(path.replace(/\.bin$/, '.groups.json'), JSON.stringify(groups))
  return total
}

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'models/training/work' },
    samples: { type: 'string', default: '2000' },
    shard: { type: 'string', default: '0' },
    shards: { type: 'string', default: '1' },
    drills: { type: 'string', default: '0.12' },
    /** Writes `short-*.bin` instead: few recalled attempts, for the first part of training. */
    short: { type: 'boolean', default: false },
    vocabulary: { type: 'string', default: '2048' },
  },
})
mkdirSync(values.out, { recursive: true })
const readPrompt = (path: string): string =>
  readFileSync(path, 'utf8')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .trim()
const system = readPrompt(new URL('../../resources/prompts/lab-db.md', import.meta.url).pathname)
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
writeFileSync(join(values.out, 'prompts.json'), JSON.stringify({ 'lab-db': sha256(system) }))
const environment = createLabDbEnvironment(await createSqlJsEngine(), { systemPrompt: system })

const tokenizerPath = join(values.out, 'tokenizer.json')
if (!existsSync(tokenizerPath)) {
  const generator = createGenerator(environment, 'tokenizer', [...TABLE_KINDS], {
    drills: 0.1,
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
  const repeated = Array.from({ length: 400 }, () => `${system}\n${forms.join('\n')}`)
  const tokenizer = trainTokenizer([...text, ...repeated].join('\n'), Number(values.vocabulary), 60)
  writeFileSync(tokenizerPath, JSON.stringify(tokenizer))
  console.error(`tokenizer: ${tokenizer.pieces.length} pieces, ${text.join('').length} characters`)
  for (const [name, chosen, phrasing] of [
    ['eval', TABLE_KINDS, 'usual'],
    ['eval-phrasing', TABLE_KINDS, 'held-out'],
    ['eval-kinds', HELD_OUT_KINDS, 'usual'],
  ] as const) {
    // Held-out kinds are fewer than a world's tables, so such worlds are smaller.
    const held = createGenerator(environment, `evaluation/${name}`, chosen, {
      drills: 0,
      short: false,
      phrasing,
    })
    const listing = createGenerator(environment, 'evaluation/drills', chosen, {
      drills: 1,
      short: false,
      phrasing,
    })
    const drills = name === 'eval' ? Array.from({ length: 12 }, () => listing.next()) : []
    writeSamples(
      join(values.out, `${name}.bin`),
      [...Array.from({ length: 60 }, () => held.next()), ...drills],
      createEncoder(tokenizer),
      system,
    )
  }
}
const encode = createEncoder(JSON.parse(readFileSync(tokenizerPath, 'utf8')) as Tokenizer)
for (let shard = Number(values.shard); shard < Number(values.shard) + Number(values.shards); shard++) {
  const started = Date.now()
  const name = values.short ? 'short' : 'train'
  const generator = createGenerator(environment, `${name}-${shard}`, TABLE_KINDS, {
    drills: Number(values.drills),
    short: values.short,
    phrasing: 'usual',
  })
  const samples = Array.from({ length: Number(values.samples) }, () => generator.next())
  const tokens = writeSamples(join(values.out, `${name}-${shard}.bin`), samples, encode, system)
  console.error(`shard ${shard}: ${samples.length} samples, ${tokens} tokens, ${Date.now() - started} ms`)
}
