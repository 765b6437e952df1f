import type { Task } from '../../../shared/domain/task'
import type { Finish } from '../../../shared/domain/trajectory'
import type { AttemptPorts, Environment, Episode } from '../environment'
import type { World } from '../environment-module'
import { whole } from '../settings'
import type { ChatTool } from '../chat'
import type { ActionForm } from './held-form'
import { readReply } from './read-reply'
import type { End, ReplyEpisode, ReplyOptions, ReplyWorld } from './reply-episode'
import { replyReader, toldOutcome, type Replies } from './reply-reader'

/**
 * An environment whose agent acts by its replies. Its tools are handed to the model where that is how actions are asked for. A second reply in no
 * own form ends an attempt (with the text form alone, the first), and so does one in the last round.
 */
export function replyEnvironment(
  { id, usual, tools, write, forms, held }: ReplyWorld,
  { systemPrompt, rounds = usual, replies = 'any' }: ReplyOptions,
  open: (task: Task, ports: AttemptPorts | undefined) => ReplyEpisode,
  ready?: (task: Task) => Promise<void>,
): Environment {
  const toolsOf = (task: Task) => (typeof tools === 'function' ? tools(task) : tools)
  const formsOf = (task: Task) => (typeof forms === 'function' ? forms(task, replies) : forms)
  const openEpisode = (task: Task, ports?: AttemptPorts): Episode => {
    const { ready, act, end, ...episode } = open(task, ports)
    const understand = replyReader({ tools: toolsOf(task), ...formsOf(task) }, replies, systemPrompt)
    let round = 0
    return {
      ...episode,
      async step(reply) {
        const call = understand(reply)
        round++
        if (call.kind === 'told' && round < rounds) return toldOutcome(call)
        const problem = (await ready?.()) ?? null
        if (problem !== null) return problem
        if (call.kind !== 'call') return end({ kind: 'invalid', reason: call.why }, 'invalid-action')
        return { ...(await act(call, round >= rounds)), call }
      },
    }
  }
  const native = replies === 'tools' ? { native: { tools: toolsOf, write } } : {}
  const heldForms = new WeakMap<readonly ChatTool[], ActionForm>()
  const form = (task: Task): ActionForm => {
    const all = formsOf(task).tools ?? toolsOf(task)
    const own = heldForms.get(all) ?? { tools: all, write, ...held }
    heldForms.set(all, own)
    return own
  }
  const same = typeof tools === 'function' || typeof forms === 'function' ? null : { tools, ...forms }
  const action = (reply: string): string | null => {
    const read = same && readReply({ text: reply }, same)
    return read?.kind === 'call' && read.read !== 'plain' ? write(read.name, read.args) : null
  }
  return {
    ...{ id, maxRounds: rounds, systemPrompt, ...native, form },
    ...(same && { action }),
    ...(ready && { ready }),
    open: openEpisode,
  }
}

/** The templates of an environment's rules: with the text form, and without where tools are handed over. */
export const ruleTemplates = (id: string): [text: string, tools: string] => [id, `${id}-tools`]

/**
 * Rules with the number of replies that an attempt may take, in the place of `{rounds:N}`; one reply is one in words, too. `rounds` null: the usual
 * number, which the template says (N).
 */
export const withRounds = (template: string, rounds: number | null): string =>
  template.replaceAll(
    /\{rounds:(\d{1,4})\}(?: (round|replie)s)?/g,
    (_, usual: string, noun: string | undefined) => {
      const count = rounds ?? Number(usual)
      if (noun === undefined) return String(count)
      return count === 1 ? `1 ${noun === 'replie' ? 'reply' : noun}` : `${count} ${noun}s`
    },
  )

/** The rules as the agent is told them, for attempts of so many replies. */
export const rulesOf = async (
  world: Pick<World, 'prompt'>,
  id: string,
  replies: Replies,
  rounds: number,
): Promise<string> => withRounds(await world.prompt(ruleTemplates(id)[replies === 'tools' ? 1 : 0]), rounds)

/** How many replies an attempt may take; a setting of every environment that is acted in. */
export const roundsSetting = (usual: number, most: number, help: string, source?: string) =>
  whole(1, most, usual, { title: 'Rounds', help, unit: 'replies', ...(source !== undefined && { source }) })

/** Ends an attempt with what it came to. `isError`: whether its last action failed. */
export const endingWith =
  (grade: () => Promise<Pick<End, 'reward' | 'scores' | 'ungraded'>>) =>
  async (
    action: End['action'],
    finish: Finish,
    observation: string | null = null,
    isError = false,
  ): Promise<End> => ({
    done: true,
    ...{ action, observation, finish },
    ...(isError && { failed: true }),
    ...(await grade()),
  })

/** Ends an attempt whose surroundings could not be made ready: nobody can tell what it would have come to. */
export const notReady = (ungraded: string): End => ({
  done: true,
  action: { kind: 'operation', content: '' },
  observation: null,
  finish: 'completed',
  reward: 0,
  ungraded,
})
