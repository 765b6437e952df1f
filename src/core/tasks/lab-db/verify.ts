import type { Task } from '../../../shared/domain/task'
import type { Verdict } from '../../ground/environment-module'
import type { SqlEngine } from '../../ground/ports'
import { labDbEntrySchema, type LabDbEntry } from './entry'
import { isQuestion, replayGold, sameRows, toGoldRows } from './grader'

/**
 * Replays an entry's gold SQL: a question must give the rows in `answer_info.direct`, a modification the table's `md5`. An entry
 * that carries neither agrees when its gold SQL runs without an error.
 */
export async function verifyEntry(engine: SqlEngine, task: Task): Promise<Verdict> {
  const why = await disagreement(engine, labDbEntrySchema.parse(task.payload))
  const scores = [{ name: `on the ${engine.name}`, value: why === null ? 1 : 0 }]
  return why === null ? { kind: 'agrees', scores } : { kind: 'disagrees', why, scores }
}

async function disagreement(engine: SqlEngine, entry: LabDbEntry): Promise<string | null> {
  const { result, hash } = await replayGold(engine, entry)
  const { direct = null, md5 = null } = entry.answer_info
  if (result.kind === 'error') return `the gold SQL fails: ${result.message}`
  if (isQuestion(entry)) {
    const order = engine.keepsOrder ? 'in order' : 'any order'
    const same = direct === null || sameRows(toGoldRows(result), direct, order)
    return same ? null : 'the gold SQL gives other rows'
  }
  return md5 === null || hash === md5 ? null : 'the gold SQL leaves another table'
}
