import type { MethodContext, RecallInput, RecalledPart } from '../../ground/method'
import { asksOfAnother, LEAST_LIKENESS, likeness } from '../../retrieval/likeness'
import { byScore } from '../../retrieval/rank'
import { FACT_KIND, type Fact } from './fact'

/** The at most `most` facts that a request is about, the best first: compared with what they answer and with what they say. */
export async function factParts(
  { task }: Pick<RecallInput, 'task'>,
  { bank }: Pick<MethodContext, 'bank'>,
  most: number,
): Promise<RecalledPart[]> {
  const facts = await bank.items(FACT_KIND)
  const scoreOf = ({ question, statement }: Fact): number => {
    if (question === null) return likeness(task.instruction, statement)
    if (asksOfAnother(task.instruction, question)) return 0
    return Math.max(likeness(task.instruction, question), likeness(task.instruction, statement))
  }
  return facts
    .map((item, i) => ({ item, score: scoreOf(item), at: i }))
    .filter(({ item, score }) => score >= LEAST_LIKENESS || item.pinned === true)
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
