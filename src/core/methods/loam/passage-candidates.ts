import { placeWords } from '../../../shared/domain/files'
import type { MethodContext, RecallInput } from '../../ground/method'
import { PASSAGE_KIND, passageText } from '../../memory/passages/passage'
import type { Candidate } from '../../recall/candidates'
import { sayingsOf } from './belief-candidates'
import { termsOf, TERM_WEIGHTS } from '../../retrieval/terms'

/** Characters of a token: rather few, so that an estimate is rather too high. */
const CHARACTERS_PER_TOKEN = 3.5

/** The at most `most` passages of own files that fit a task best, as candidates. */
export async function passageCandidates(
  { task, signal }: RecallInput,
  { bank }: Pick<MethodContext, 'bank'>,
  most: number,
  vector: Float32Array,
): Promise<Candidate[]> {
  const passages = await bank.passages.search(task.instruction, most, { signal })
  return passages.map(({ passage, score, cosine }) => {
    const text = passageText(passage)
    return {
      kind: PASSAGE_KIND,
      id: passage.id,
      title: placeWords(passage),
      text,
      trajectoryId: null,
      reward: null,
      environment: task.environment,
      createdAt: passage.createdAt,
      origin: { from: 'person', by: null },
      pinned: false,
      byPerson: true,
      vector,
      terms: new Map(termsOf(text).map(({ term, kind }) => [term, TERM_WEIGHTS[kind]])),
      sayings: sayingsOf(text, true),
      judged: 0,
      helped: 0,
      place: 'document',
      tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
      meaning: cosine ?? score,
    }
  })
}
