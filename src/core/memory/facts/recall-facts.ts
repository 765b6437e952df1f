import type { MethodContext, RecallInput, RecalledPart } from '../../ground/method'
import { aboutness, isAbout, shortened } from '../../retrieval/aboutness'
import { asksOfAnother, LEAST_LIKENESS } from '../../retrieval/likeness'
import { asksOfOwn } from '../../retrieval/neighbours'
import { byScore } from '../../retrieval/rank'
import { FACT_KIND, type Fact } from './fact'

/** Facts that words and meaning each bring nearest to a request; what it can be about is among far fewer. */
const NEAREST = 100

export interface FactsNear {
  readonly facts: readonly Fact[]
  readonly total: number
}

/** The facts among which those are that a request can be about, all or of many the nearest and pinned ones, and how many there are of all. */
export async function factsNear(
  request: string,
  bank: MethodContext['bank'],
  signal?: AbortSignal,
): Promise<FactsNear> {
  const near = await bank.texts?.near(FACT_KIND, shortened(request), NEAREST, { signal })
  const facts = await bank.items(FACT_KIND, near ? { among: near.ids } : {})
  return { facts, total: near?.total ?? facts.length }
}

/** The at most `most` facts that a request is about, the best first: compared with what they answer and with what they say. `near`: those that are near it, where they are known. */
export async function factParts(
  { task, signal }: Pick<RecallInput, 'task' | 'signal'>,
  { bank, embedder }: Pick<MethodContext, 'bank' | 'embedder'>,
  most: number,
  near?: FactsNear,
): Promise<RecalledPart[]> {
  const instruction = shortened(task.instruction)
  const { facts, total: factCount } = near ?? (await factsNear(instruction, bank, signal))
  // Every fact is compared twice.
  const total = 2 * factCount
  const statements = await aboutness(
    instruction,
    facts.map(({ statement }) => statement),
    embedder,
    total,
    signal,
  )
  const questions = await aboutness(
    instruction,
    facts.map(({ question }) => question ?? ''),
    embedder,
    total,
    signal,
  )
  return facts
    .map((item, at) => {
      const { question, statement } = item
      // A statement says its question's words again, with the answer behind them.
      const other = question !== null && asksOfAnother(instruction, question)
      const least = question === null && asksOfOwn(instruction, statement) ? LEAST_LIKENESS : 0
      return { item, score: other ? 0 : Math.max(least, statements[at] ?? 0, questions[at] ?? 0), at }
    })
    .filter(({ item, score }) => isAbout(score) || item.pinned === true)
    .sort((a, b) => byScore(a, b) || b.at - a.at)
    .slice(0, most)
    .map(({ item, score }) => ({
      text: item.statement,
      item: {
        kind: FACT_KIND,
        id: item.id,
        trajectoryId: item.trajectoryIds[0] ?? null,
        title: item.statement,
        score,
        scoreKind: 'likeness',
        reward: null,
        ...(item.pinned && { pinned: true as const }),
      },
    }))
}
