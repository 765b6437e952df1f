import type { Trajectory } from '../../shared/domain/trajectory'
import { NOTHING_RECALLED, type PromptParts } from '../ground/method'
import { buildMessages } from '../ground/prompt'
import { replayed } from '../recall/replayed'
import type { ChatMessage } from '../ground/ports'
import type { DistilledAttempt } from './plan'
import type { ExpertRound, TeacherDistribution, TrainingSample } from './samples'
import { samplesOf } from './samples'

/** What distilling needs of a language model. */
export interface Expert {
  /** The reply to these messages, greedily; null when it was cut off. Throws `CONTEXT_OVERFLOW`. */
  reply(messages: readonly ChatMessage[]): Promise<string | null>
  tokenize(
    messages: readonly ChatMessage[],
    reply: string,
  ): Promise<{
    readonly prompt: readonly number[]
    readonly reply: readonly number[]
    readonly softAt: number
  }>
  /** Per token of the reply, what was likeliest there; null when only tokens are learned. */
  readonly distributions:
    | ((messages: readonly ChatMessage[], reply: string) => Promise<readonly TeacherDistribution[]>)
    | null
}

/** How attempts become samples. */
export interface Distilling {
  /** What the teacher would do, or what the attempt itself did. */
  readonly actions: 'teacher' | 'recorded'
  /** Share of what the student would say by itself, without P_theta, in what it is to say; 0: none, as in the paper. */
  readonly caution: number
  /** The action that a reply comes to, without what stands around it; null where it names none. Default: a reply is learned as it is. */
  action?(reply: string): string | null
}

/** A dialog, and what is to be said in it, round by round; null: nothing in that round. */
interface Path {
  readonly rounds: Trajectory['rounds']
  readonly actions: readonly (string | null)[]
}

/**
 * The samples of one attempt: for every round the expert action A* (eq. 5), which the LLM writes when it sees E_many and the
 * dialog so far, as what the student has to write in each of its views: lessons, E_few and the same dialog (eq. 6 and 7). `actions`
 * `recorded` takes what the attempt itself did in the place of A*; so does a round whose A* was cut off or is empty, and a second try, which the LLM
 * made knowing what the first one had found out.
 *
 * Only the action of a reply is learned, where `action` can tell it from what else was written: a small student would learn the rambling before the
 * rule. The dialog that the attempt goes on in has its actions alone, too, so that the student reads what it writes.
 *
 * With `caution` c a token's target is (1 - c) of the teacher's distribution and c of the student's own without P_theta. A student that has learned
 * that well states a fact where it is surer of it than c / (1 - c), and else does what it does by itself, as a rule to look it up; learning the
 * teacher's tokens alone it states every fact, also those that P_theta has no room for. Then what the attempt did by itself, which looks up, is
 * learned from too (of a task that was tried again: what the failed attempt did), so that the student knows how to go on from there.
 */
export async function distilAttempt(
  { attempt, many, views, first }: DistilledAttempt,
  systemPrompt: string,
  { actions, caution, action: actionOf }: Distilling,
  expert: Expert,
): Promise<TrainingSample[]> {
  const bare = (reply: string): string => actionOf?.(reply) ?? reply
  const bareRounds = (rounds: Trajectory['rounds']): Trajectory['rounds'] =>
    rounds.map((round) => ({ ...round, completion: bare(round.completion) }))
  const messagesFor = (
    parts: Partial<PromptParts>,
    shownViews: readonly Trajectory[],
    dialog: Trajectory['rounds'],
    round: number,
  ) =>
    buildMessages({
      systemPrompt,
      parts: { ...NOTHING_RECALLED, ...parts, retrieved: replayed(shownViews, attempt.task) },
      instruction: attempt.task.instruction,
      context: attempt.task.context,
      rounds: dialog.slice(0, round),
    })
  const dialog = bareRounds(attempt.rounds)
  const acted: string[] = []
  for (const { index, completion } of dialog) {
    const isAsked = actions === 'teacher' && !first
    const output = isAsked ? await expert.reply(messagesFor({}, many, dialog, index)) : null
    acted.push(output === null || output.trim() === '' ? completion : bare(output))
  }
  const paths: Path[] = [{ rounds: dialog, actions: acted }]
  if (caution > 0) paths.push(ownPath(first ? bareRounds(first.rounds) : dialog, first ? null : acted))
  const samples: TrainingSample[] = []
  for (const path of paths) {
    const outcomes: { readonly round: number; readonly action: string; readonly taught: Distributions }[] = []
    for (const [round, action] of path.actions.entries()) {
      if (action === null || action.trim() === '') continue
      const distributions = await expert.distributions?.(messagesFor({}, many, path.rounds, round), action)
      outcomes.push({ round, action, taught: distributions ?? null })
    }
    for (const { group, few, lessons } of views) {
      const rounds: ExpertRound[] = []
      let softAt = 0
      for (const { round, action, taught } of outcomes) {
        const messages = messagesFor(lessons, few, path.rounds, round)
        const tokens = await expert.tokenize(messages, action)
        softAt = tokens.softAt
        const own = caution > 0 && taught ? await expert.distributions?.(messages, action) : null
        const teacher = taught && own ? taught.map((one, at) => mixed(one, own[at], caution)) : taught
        rounds.push({ prompt: tokens.prompt, action: tokens.reply, ...(teacher && { teacher }) })
      }
      samples.push(...samplesOf(attempt.id, rounds, softAt).map((sample) => ({ ...sample, group })))
    }
  }
  return samples
}

type Distributions = readonly TeacherDistribution[] | null

/** What an attempt did by itself, less what is learned anyway. */
const ownPath = (rounds: Trajectory['rounds'], lessons: readonly string[] | null): Path => ({
  rounds,
  actions: rounds.map(({ completion }, at) => (lessons?.[at] === completion ? null : completion)),
})

/** Two distributions in one, `share` of the second. */
function mixed(
  teacher: TeacherDistribution,
  own: TeacherDistribution | undefined,
  share: number,
): TeacherDistribution {
  const sums = new Map<number, number>()
  const add = ({ ids, probabilities }: TeacherDistribution, part: number) => {
    const total = probabilities.reduce((sum, value) => sum + value, 0)
    for (const [at, id] of ids.entries())
      sums.set(id, (sums.get(id) ?? 0) + (part * (probabilities[at] as number)) / total)
  }
  add(teacher, own ? 1 - share : 1)
  if (own) add(own, share)
  return { ids: [...sums.keys()], probabilities: [...sums.values()] }
}
