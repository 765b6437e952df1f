import type { GuideText, Insight, Rubric, RubricScore } from '../../../shared/domain/guide'
import type { BuildOutcome } from '../../../shared/domain/guide-build'
import type { SearchSettings } from '../../../shared/domain/guide-search'
import type { Task } from '../../../shared/domain/task'
import { addUsage, NO_USAGE, type Trajectory, type Usage } from '../../../shared/domain/trajectory'
import { abortError } from '../../ground/abort'
import type { BuildUnit } from '../../memory/guides/unit'
import { retellingOf } from '../../ground/prompt'
import type { BuildLog } from '../../ground/ports'
import { hash32 } from '../../ground/random'
import { hasActed, type MethodContext, type RecalledPart } from '../../ground/method'
import { write } from '../../ground/writing'
import { TEMPLATES } from './templates'
import { createGate } from './gate'
import { askAbout } from './fit'
import { inBatches, integrationOf, type IntegrationOrder } from './integrate'
import { REFLECT_FORM, reflectMessages, rubricForm, rubricMessages } from './messages'
import { guidePart, rankGuides, type KbDocument } from './retrieve'

/** The temperature of everything but the integrator (A.2). */
export const CALM = 0.1
const TOKENS = { rubric: 320, reflect: 400 } as const

/** 64 bits of a text, for keys. */
const hash64 = (text: string): string =>
  [0x811c9dc5, 0x9e3779b9].map((basis) => hash32(text, basis).toString(16).padStart(8, '0')).join('')

export interface WorkInput {
  readonly buildId: string
  readonly context: Pick<MethodContext, 'model' | 'embedder' | 'prompts' | 'seed' | 'writer'>
  readonly rubrics: readonly Rubric[]
  /** Documents shown, and when they are looked up. */
  readonly shown: number
  readonly retrieveAt: SearchSettings['retrieveAt']
  /** Whose prompt the integrator has, and whether what it leaves out is put back. Defaults: Loam's, checked. */
  readonly prompts?: SearchSettings['prompts']
  readonly keep?: SearchSettings['keep']
  readonly log: BuildLog
  /** Most model calls at a time. */
  readonly inFlight: number
  /**
   * Plays a task with these documents in the prompt, at temperature `CALM`; `all` is what later turns look into. Where a seed is given it is drawn
   * anew, from all tokens at temperature 1.
   */
  play(
    task: Task,
    id: string,
    documents: { readonly shown: readonly RecalledPart[]; readonly all: readonly KbDocument[] },
    signal: AbortSignal,
    anew?: number,
  ): Promise<Trajectory>
  /** An attempt at a training task that was made already; it counts as the rollout with the documents it read. */
  attempted?(task: Task): Promise<Trajectory | null>
}

export interface Findings {
  readonly scores: readonly RubricScore[] | null
  readonly insights: readonly Insight[]
  readonly problem: string | null
}

export interface Integration {
  readonly text: GuideText
  /** What was put back word for word, and what found no room. */
  readonly back: readonly string[]
  readonly lost: readonly string[]
}

/** Everything of a search that asks the model. Each piece is done once and looked up from then on, in this session or a later one. */
export type BuildWork = Awaited<ReturnType<typeof openWork>>

/** Whether an attempt read just these documents, and nothing else of a memory. */
const readTheSame = ({ recalled }: Trajectory, parts: readonly RecalledPart[]): boolean =>
  recalled.length === parts.length && parts.every(({ item }) => recalled.some(({ id }) => id === item.id))

const keyOf = (unit: Pick<BuildUnit, 'kind' | 'key'>): string => `${unit.kind} ${unit.key}`

/** Opens the work of a build on its log. */
export async function openWork(input: WorkInput) {
  const { context, log } = input
  const { model, embedder } = context
  const outcomePromiseMap = new Map<string, Promise<BuildUnit>>()
  const gate = createGate(input.inFlight)
  const request = { evaluations: 0, keys: new Set<string>() }
  const output = { texts: 0, unusable: 0 }
  let usage: Usage = NO_USAGE

  /** A run's own attempt cost the build nothing. */
  const usageOf = (unit: BuildUnit): Usage =>
    unit.kind !== 'rollout'
      ? unit.usage
      : unit.trajectory.id.startsWith(input.buildId)
        ? unit.trajectory.usage
        : NO_USAGE
  for (const unit of await log.units()) outcomePromiseMap.set(keyOf(unit), Promise.resolve(unit))
  const countedSet = new Set<string>()

  /** Counted where it is used, so that a resumed search has spent the same at the same point. */
  const count = (unit: BuildUnit): void => {
    if (countedSet.has(keyOf(unit))) return
    countedSet.add(keyOf(unit))
    usage = addUsage(usage, usageOf(unit))
    if (unit.kind === 'rollout') return
    output.texts++
    if (unit.kind === 'findings' ? unit.problem !== null : unit.text === null || unit.unwritten === true)
      output.unusable++
  }

  const unit = async <K extends BuildUnit['kind']>(
    kind: K,
    key: string,
    signal: AbortSignal,
    make: () => Promise<Extract<BuildUnit, { kind: K }>>,
  ): Promise<Extract<BuildUnit, { kind: K }>> => {
    const name = keyOf({ kind, key })
    let matchPromise = outcomePromiseMap.get(name)
    if (!matchPromise) {
      matchPromise = gate(async () => {
        if (signal.aborted) throw abortError()
        const product = await make()
        await log.append(product)
        return product
      })
      outcomePromiseMap.set(name, matchPromise)
      matchPromise.catch(() => outcomePromiseMap.delete(name))
    }
    const madeProduct = (await matchPromise) as Extract<BuildUnit, { kind: K }>
    count(madeProduct)
    return madeProduct
  }

  return {
    /** A rollout with the documents this knowledge base shows for the task: the evaluation cache. One that is drawn anew counts by its number. */
    async rollout(
      task: Task,
      documents: readonly KbDocument[],
      signal: AbortSignal,
      anew?: number,
    ): Promise<Trajectory> {
      const ranked = await rankGuides(embedder, task.instruction, documents, signal)
      const parts = ranked.slice(0, input.shown).map(guidePart)
      // What an attempt depends on: the documents in its prompt, or all of them where later turns look again.
      const read = input.retrieveAt === 'start' ? parts : ranked.map(guidePart)
      const label = hash64(read.map(({ text }) => text).join('\n\n'))
      const key = `${label}/${task.id}/${model.name}/${context.seed}${anew === undefined ? '' : `/anew-${anew}`}`
      request.evaluations++
      request.keys.add(key)
      const { trajectory } = await unit('rollout', key, signal, async () => {
        const product = anew === undefined ? await input.attempted?.(task) : null
        const record = product && readTheSame(product, parts) ? product : null
        const id = `${input.buildId}-r${hash64(key)}`
        return {
          kind: 'rollout',
          key,
          trajectory:
            record ??
            (await input.play(
              task,
              id,
              { shown: parts, all: documents },
              signal,
              anew === undefined ? undefined : hash32(`${context.seed}/anew/${anew}`),
            )),
        }
      })
      return trajectory
    },

    /** Rubric scores and insights of a rollout (algorithm 2, line 5); none of one that never acted, which has nothing to tell. */
    async findings(trajectory: Trajectory, signal: AbortSignal): Promise<Findings> {
      if (!hasActed(trajectory)) return { scores: null, insights: [], problem: null }
      const product = await unit('findings', trajectory.id, signal, () =>
        findingsOf(input, trajectory, signal),
      )
      return {
        scores: product.scores,
        problem: product.problem,
        insights: insightsOf(product, trajectory),
      }
    },

    /** d_k <- IntegAgent(k, insights, d_k) with the zero-loss check; null when nothing usable came. */
    async integrate(order: IntegrationOrder, signal: AbortSignal): Promise<Integration | null> {
      const product = await unit('integration', order.key, signal, () => integrationOf(input, order, signal))
      return product.text === null
        ? null
        : { text: product.text, lost: product.lost, back: product.back ?? [] }
    },

    /** Insights cut into what the integrator reads at a time. */
    batches: (insights: readonly string[]): string[][] => inBatches(insights, input),
    /** Rollouts asked for, and how many of these had been made before. */
    counts: (): Pick<BuildOutcome, 'evaluations' | 'cacheHits' | 'writings' | 'unusable'> => ({
      evaluations: request.evaluations,
      cacheHits: request.evaluations - request.keys.size,
      writings: output.texts,
      unusable: output.unusable,
    }),
    usage: (): Usage => usage,
  }
}

/** A rollout's insights under ids of their own. */
export const insightsOf = (
  product: Extract<BuildUnit, { kind: 'findings' }>,
  trajectory: Pick<Trajectory, 'id' | 'reward'> & { readonly task: Pick<Trajectory['task'], 'id'> },
): Insight[] =>
  product.insights.map(({ concept, insight }, i) => ({
    id: `${trajectory.id}-i${i}`,
    concept,
    text: insight,
    trajectoryId: trajectory.id,
    taskId: trajectory.task.id,
    reward: trajectory.reward,
  }))

/** What the model finds in an attempt: scores by the rubrics where there are some, and insights. */
async function findingsOf(
  { context, rubrics }: Pick<WorkInput, 'context' | 'rubrics'>,
  trajectory: Trajectory,
  signal: AbortSignal,
): Promise<Extract<BuildUnit, { kind: 'findings' }>> {
  const { prompts } = context
  const attempt = retellingOf(trajectory)
  const about = { taskIndex: trajectory.task.index }
  const judgement =
    rubrics.length === 0
      ? null
      : await write(
          {
            ...about,
            role: 'brew-rubric',
            messages: await askAbout(
              (room) => rubricMessages(prompts.text(TEMPLATES.rubric), rubrics, attempt, room),
              TOKENS.rubric,
              context,
              signal,
            ),
            form: rubricForm(rubrics),
            maxTokens: TOKENS.rubric,
          },
          context,
          signal,
        )
  const scores = judgement?.value ?? null
  const reflected = await write(
    {
      ...about,
      role: 'brew-reflect',
      messages: await askAbout(
        (room) => reflectMessages(prompts.text(TEMPLATES.reflect), attempt, scores ?? [], room),
        TOKENS.reflect,
        context,
        signal,
      ),
      form: REFLECT_FORM,
      maxTokens: TOKENS.reflect,
      quotes: true,
    },
    context,
    signal,
  )
  const problems = [
    ...(judgement?.value === null ? [`no scores: ${judgement.reason}`] : []),
    ...(reflected.value === null ? [`no insights: ${reflected.reason}`] : []),
  ]
  return {
    kind: 'findings',
    key: trajectory.id,
    scores: scores === null ? null : [...scores],
    insights: [...(reflected.value ?? [])],
    problem: problems.length === 0 ? null : problems.join('; '),
    usage: addUsage(judgement?.usage ?? NO_USAGE, reflected.usage),
  }
}
