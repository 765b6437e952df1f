import { type BuildEstimate, type BuildInfo } from '../../../shared/domain/guide-build'
import { searchStrategySchema, type SearchSettings } from '../../../shared/domain/guide-search'
import { settingFields } from '../../../core/ground/settings'
import { SETTINGS } from '../../../core/methods/brew/settings'
import { modelOf, streamFrom, UsageError } from '../arguments'
import type { OptionName } from '../options'
import { duration, percent } from '../console-io'
import { followJob } from '../follow-job'
import type { Command, CommandContext } from './command'
import { folderNamed, requiredFolder } from './memory-named'
import { BOUNDS } from '../../../shared/domain/bounds'

/** `loam guides build`: writes and searches concept documents, or goes on with a build. */
export const guidesBuild: Command = async ({ args, io, host }) => {
  const memoryId = requiredFolder(args)
  const resumed = args.text('resume')
  const inFlight = args.whole('in-flight', BOUNDS.inFlight) ?? 1
  const input = {
    memoryId,
    stream: resumed === undefined ? streamFrom(args.required('stream')) : '',
    model: modelOf(args) ?? null,
    seed: args.whole('seed', BOUNDS.seed) ?? 1,
    settings: settingsOf(args),
    review: args.flag('review'),
    inFlight,
  }
  args.gpuLayers()
  const reached = await host()
  const { guides } = reached.client
  if (resumed === undefined) {
    const estimate = await guides.estimate(input)
    for (const line of estimateLines(estimate)) io.out(line)
    if (args.flag('dry-run')) return { estimate }
  }
  const began = performance.now()
  const { jobId, buildId } = await (resumed === undefined
    ? guides.start(input)
    : guides.resume({ memoryId, buildId: resumed, inFlight }))
  const goOn = `loam guides build --memory ${memoryId} --resume ${buildId}`
  await followJob(reached, jobId, io).catch((error: unknown) => {
    io.note(`What is done is kept. Go on with: ${goOn}`)
    throw error
  })
  const info = await guides.build({ memoryId, buildId })
  const report = reportOf(info, performance.now() - began)
  if (info.outcome === null) {
    for (const { name, members, train } of info.concepts)
      io.out(`${name}: ${members.length} names, ${train.length} tasks`)
    io.note(`Waiting for you. Go on with: ${goOn}`)
    return report
  }
  const { outcome } = info
  const { before, after, without, cacheHits, evaluations, tokens } = outcome
  io.out(
    `${outcome.documents} guides for ${outcome.concepts} concepts after ${outcome.iterations} iterations` +
      `${outcome.stopped === 'budget' ? ' (the budget is spent)' : ''}, ${duration(report.wallMs)}.`,
  )
  io.out(
    `Solved: ${percent(without.correctness)} without, ${percent(before.correctness)} before the search, ${percent(after.correctness)} after. MRR: ${before.mrr.toFixed(2)} before, ${after.mrr.toFixed(2)} after.`,
  )
  io.out(
    `${evaluations} attempts asked for, ${cacheHits} known already; ${tokens} tokens. ${outcome.unusable ?? 0} of ${outcome.writings ?? 0} texts were not usable.`,
  )
  const waiters = (await guides.list({ memoryId })).filter(({ proposed }) => proposed?.buildId === buildId)
  if (waiters.length > 0)
    io.note(
      `Proposed, not read yet: ${waiters.map(({ concept }) => concept).join(', ')}. ` +
        `Accept with: loam guides accept ${buildId} --memory ${memoryId}`,
    )
  return { ...report, proposed: waiters.map(({ concept }) => concept) }
}

/** What a build takes, as lines for people. */
function estimateLines(estimate: BuildEstimate): string[] {
  const { train, evaluation, concepts, attempts, writings, minutes } = estimate
  const { mostConcepts, mostAttempts, mostWritings, mostMinutes } = estimate
  const time = (value: number | null): string => (value === null ? '' : `, ${duration(value * 60_000)}`)
  return [
    `${train} tasks to learn from, ${evaluation} to score with.`,
    `About ${attempts} attempts and ${writings} texts for ${concepts} concepts${time(minutes)}; at most ${mostAttempts} and ${mostWritings} for ${mostConcepts}${time(mostMinutes)}.`,
    ...(minutes === null ? ['How long they take is known once this model has worked in this memory.'] : []),
  ]
}

/** `loam guides accept BUILD` and `loam guides reject BUILD`: decides about what a build proposes. */
export const guidesDecide =
  (accepted: boolean): Command =>
  async ({ args, io, host }) => {
    const memoryId = folderNamed(args)
    const buildId = args.word(2, 'Which build? "loam guides list --memory DIR" lists them.')
    const { guides } = (await host()).client
    const decided = await guides.decideAll({ memoryId, buildId, accepted })
    const names = decided.map(({ concept }) => concept)
    io.out(
      names.length === 0
        ? 'Nothing waits for a decision.'
        : `${accepted ? 'Agents read now' : 'Rejected'}: ${names.join(', ')}.`,
    )
    return { build: buildId, accepted, concepts: names }
  }

/** Settings of the search, by the names of their options. */
const OPTIONS = {
  width: 'width',
  depth: 'depth',
  iterations: 'iterations',
  lambda: 'lambda',
  train: 'train',
  eval: 'evaluation',
  queries: 'queries',
  concepts: 'concepts',
  'token-budget': 'tokenBudget',
  minutes: 'minuteBudget',
} as const satisfies Partial<Record<OptionName, keyof SearchSettings>>

/** What the options change, within the bounds of the settings themselves. */
function settingsOf(args: CommandContext['args']): Partial<SearchSettings> {
  const strategy = searchStrategySchema.optional().safeParse(args.text('strategy'))
  if (!strategy.success)
    throw new UsageError(`--strategy must be one of ${searchStrategySchema.options.join(', ')}`)
  const fields = settingFields(SETTINGS)
  const numbers = Object.entries(OPTIONS).map(([option, key]) => {
    const field = fields.find((one) => one.key === key)
    if (field?.kind !== 'number') throw new Error(`${key} is no number.`)
    const name = option as keyof typeof OPTIONS
    const { min, max } = field
    return [key, field.whole ? args.whole(name, [min, max]) : args.decimal(name, [min, max])] as const
  })
  const use = args.flag('at-once') ? 'at-once' : undefined
  const inputs = [['strategy', strategy.data] as const, ['use', use] as const, ...numbers]
  return Object.fromEntries(inputs.filter(([, value]) => value !== undefined))
}

const reportOf = ({ build, status, concepts, nodes, outcome }: BuildInfo, wallMs: number) => ({
  build: build.id,
  status,
  stream: build.stream,
  model: build.modelName,
  seed: build.seed,
  strategy: build.settings.strategy,
  train: build.train.length,
  evaluation: build.evaluation.length,
  concepts: concepts.map(({ id, name, members, train, evaluation }) => ({
    id,
    name,
    members,
    train: train.length,
    evaluation: evaluation.length,
  })),
  documents: outcome?.documents ?? 0,
  nodes,
  iterations: outcome?.iterations ?? 0,
  stopped: outcome?.stopped ?? null,
  without: outcome?.without ?? null,
  before: outcome?.before ?? null,
  after: outcome?.after ?? null,
  evaluations: outcome?.evaluations ?? 0,
  cacheHits: outcome?.cacheHits ?? 0,
  tokens: outcome?.tokens ?? 0,
  modelMs: outcome?.modelMs ?? 0,
  wallMs: Math.round(wallMs),
})

/** `loam guides list`: documents and builds of a memory. */
export const guidesList: Command = async ({ args, io, host }) => {
  const memoryId = folderNamed(args)
  const { guides } = (await host()).client
  const documents = await guides.list({ memoryId })
  const builds = await guides.builds({ memoryId })
  for (const { concept, current, proposed, versions } of documents)
    io.out(
      `${concept}: ${current ? `${current.sentences.length} sentences` : proposed ? 'nothing accepted yet' : 'rejected'}, ` +
        `${versions} versions${proposed ? ', one proposed' : ''}`,
    )
  for (const {
    build: { id, settings },
    status,
  } of builds)
    io.out(`${id}  ${settings.strategy}, ${status}`)
  return { documents, builds }
}
