import type { MethodContext, RecallInput, RecalledPart } from '../../ground/method'
import { onScaleOf } from '../../retrieval/calibration'
import { cosine } from '../../retrieval/cosine'
import { byScore, vectorsOf } from '../../retrieval/rank'
import { FACT_KIND, factLine } from './fact'

/** How like a request a fact is at least, on a scale where texts without relation are at 0. */
const LEAST_LIKENESS = 0.3

/** The at most `most` facts that a request is about, the best first: compared with what they answer and with what they say. */
export async function factParts(
  { task, signal }: Pick<RecallInput, 'task' | 'signal'>,
  { bank, embedder }: Pick<MethodContext, 'bank' | 'embedder'>,
  most: number,
): Promise<RecalledPart[]> {
  const facts = await bank.items(FACT_KIND)
  if (facts.length === 0 || most === 0) return []
  const keys = facts.map(({ question, statement }) => question ?? statement)
  const [target = new Float32Array(), ...vectors] = await vectorsOf(
    embedder,
    [task.instruction, ...keys, ...facts.map(({ statement }) => statement)],
    signal,
  )
  const like = (at: number): number => cosine(target, vectors[at] ?? new Float32Array()) ?? 0
  const floor = onScaleOf(embedder, LEAST_LIKENESS)
  return facts
    .map((fact, i) => ({ item: fact, score: Math.max(like(i), like(i + facts.length)), at: i }))
    .filter(({ item, score }) => score >= floor || item.pinned === true)
    .sort((a, b) => byScore(a, b) || b.at - a.at)
    .slice(0, most)
    .map(({ item, score }) => ({
      text: factLine(item),
      item: {
        kind: FACT_KIND,
        id: item.id,
        trajectoryId: item.trajectoryIds[0] ?? null,
        title: item.statement,
        score,
        scoreKind: 'cosine',
        reward: null,
        ...(item.pinned && { pinned: true as const }),
      },
    }))
}
