import type { MethodContext, RecallInput, RecalledPart } from '../../ground/method'
import { aboutness, isAbout, shortened } from '../../retrieval/aboutness'
import { asksOfAnother, LEAST_LIKENESS } from '../../retrieval/likeness'
import { asksOfOwn } from '../../retrieval/neighbours'
import { byScore } from '../../retrieval/rank'
import { FACT_KIND } from './fact'

/** The at most `most` facts that a request is about, the best first: compared with what they answer and with what they say. */
export async function factParts(
  { task, signal }: Pick<RecallInput, 'task' | 'signal'>,
  { bank, embedder }: Pick<MethodContext, 'bank' | 'embedder'>,
  most: number,
): Promise<RecalledPart[]> {
  const facts = await bank.items(FACT_KIND)
  const instruction = shortened(task.instruction)
  // Every fact is compared twice.
  const total = 2 * facts.length
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
