/**
 * The third family in the demo model's training text: desks, whose questions are planned and worked on with tools. Every prompt is caught where the
 * app's own planner and executor ask a model, beside plans of past cases or nothing.
 */
import { NOTHING_RECALLED, type PromptParts } from '../../src/core/ground/method'
import { createRng } from '../../src/core/ground/random'
import type { ToolInfo } from '../../src/core/ground/tools'
import { caseParts, keepCase } from '../../src/core/memory/cases/recalled-case'
import { filesText } from '../../src/core/tasks/qa/environment'
import { drawDeskTask } from '../../src/core/tasks/qa/desk/tasks'
import { PEOPLE } from '../../src/core/tasks/house-rules/vocabulary'
import { createDesk, FILE_NAMES, THINGS } from '../../src/core/tasks/qa/desk/world'
import { playDesk, type DeskPlay, type Dialog } from './desk-expert'
import { ASSISTANT, END, USER, type Piece, type Sample } from './samples'

const BRANCHES = 6

/** The prompts that desks add to what the demo model answers. */
export const DESK_PROMPTS = ['qa-planner', 'qa-executor'] as const
export type DeskPrompts = Readonly<Record<(typeof DESK_PROMPTS)[number], string>>

/** Plans of earlier attempts as the case bank shows them. */
async function recallPlans(past: readonly DeskPlay[]): Promise<PromptParts> {
  if (past.length === 0) return NOTHING_RECALLED
  const learned = await Promise.all(past.map(({ trajectory }) => keepCase(trajectory)))
  const cases = learned.flatMap(({ events }) =>
    events.flatMap((event) => (event.kind === 'case-added' ? [event.case] : [])),
  )
  const retrieved = await caseParts(
    cases.map((record) => ({ record, why: { score: 0.5, scoreKind: 'cosine' } })),
    { context: '' },
    {
      trajectory: (id) =>
        Promise.resolve(past.find(({ trajectory }) => trajectory.id === id)?.trajectory ?? null),
    },
  )
  return { ...NOTHING_RECALLED, retrieved }
}

/** A dialog behind its system prompt and what all branches share. */
function branchOf({ role: who, messages }: Dialog, shared: string, slips: ReadonlySet<string>): Piece[] {
  const turns = messages.slice(1)
  return turns.map(({ role, content }, i): Piece => {
    const isLast = i === turns.length - 1
    // A plan stands in the dialog as the app writes it anew, so that only a planner's last reply is its own.
    if (role === 'assistant')
      return {
        text: content,
        learn: isLast || (who === 'executor' && !slips.has(content)),
        after: isLast ? [END] : [END, USER],
      }
    return { text: i === 0 ? content.slice(shared.length) : content, learn: false, after: [END, ASSISTANT] }
  })
}

const recalledIn = (plays: readonly Dialog[]): string => {
  const [first = ''] = plays.map(({ messages }) => messages[1]?.content ?? '')
  return first.slice(0, first.lastIndexOf(filesText([''])))
}

const sampleOf = (
  made: readonly { dialog: Dialog; play: DeskPlay }[],
  shared: string,
  count: number,
): Sample => ({
  system: made[0]?.dialog.messages[0]?.content ?? '',
  recalled: shared,
  branches: made.map(({ dialog, play }) => branchOf(dialog, shared, play.slips)),
  groups: made.map(() => [count, 0, 1] as const),
})

/** Draws samples at desks of its own: of the planner, and of the executor. */
export function createDeskGenerator(prompts: DeskPrompts, tools: readonly ToolInfo[], seed: string) {
  const rng = createRng(`training/desks/${seed}`)
  const setting = { planner: prompts['qa-planner'], executor: prompts['qa-executor'], tools }
  let index = 0
  const draw = (world: string, parts?: PromptParts): Promise<DeskPlay> =>
    playDesk(drawDeskTask(rng, createDesk(world), `t${rng.int(1e9)}`), {
      ...setting,
      ...(parts && { parts }),
      slips: rng.chance(0.15),
    })
  const planned = async (world: string): Promise<Sample> => {
    const count = rng.chance(0.5) ? 0 : 1 + rng.int(4)
    const past: DeskPlay[] = []
    for (let i = 0; i < count; i++) past.push(await draw(rng.chance(0.8) ? world : `${world}/other`))
    const parts = await recallPlans(past)
    const made: { dialog: Dialog; play: DeskPlay }[] = []
    while (made.length < BRANCHES) {
      const play = await draw(world, parts)
      for (const dialog of play.dialogs) if (dialog.role === 'planner') made.push({ dialog, play })
    }
    // As many branches as every sample has: train.py packs samples side by side.
    return sampleOf(rng.sample(made, BRANCHES), recalledIn(made.map(({ dialog }) => dialog)), count)
  }
  let waiting: { dialog: Dialog; play: DeskPlay }[] = []
  const worked = async (): Promise<Sample> => {
    while (waiting.length < BRANCHES * 4) {
      const play = await draw(`train:${seed}/e${index++}`)
      waiting.push(
        ...play.dialogs.filter(({ role }) => role === 'executor').map((dialog) => ({ dialog, play })),
      )
    }
    waiting = rng.sample(waiting, waiting.length)
    const made = waiting.slice(0, BRANCHES)
    waiting = waiting.slice(BRANCHES)
    return sampleOf(made, '', 0)
  }
  return {
    next: (): Promise<Sample> => (rng.chance(0.36) ? planned(`train:${seed}/p${index++}`) : worked()),
  }
}

/** What stands between a task's own words: lines that are the same whatever the task is, and beginnings and ends of replies. */
const FIXED = [
  'tool": "read_document", "arguments": {"path": "',
  'tool": "list_documents", "arguments": {"containing": "',
  'tool": "calculate", "arguments": {"expression": "',
  '", "inner": null, "offset": null, "limit": null}}',
  '", "numbers": null}}',
  'plan": [{"id": 1, "description": "',
  'plan":[{"id":1,"description":"',
  'answer": "',
  'FINAL ANSWER:',
  ', {"id": ',
  ',{"id":',
  '", "description": "',
  '","description":"',
  "Files in the task's folder:",
  'The whole task, for orientation only:',
  'Plans that worked on similar tasks:',
  'Calculate',
  'Task:',
  'tools: read_document)',
  'tools: calculate)',
  '   Result:',
  'Your subtask:',
]

/** Lines that stand in every prompt, and words of desks, that become pieces of their own. */
export async function deskForms(prompts: DeskPrompts, tools: readonly ToolInfo[]): Promise<string[]> {
  const generator = createDeskGenerator(prompts, tools, 'forms')
  const counts = new Map<string, number>()
  const systems = new Set<string>()
  for (let i = 0; i < 40; i++) {
    const { system, branches } = await generator.next()
    systems.add(system)
    for (const line of branches.flatMap((pieces) => pieces.flatMap(({ text }) => text.split('\n'))))
      counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  // Whatever holds a value has to stay in parts that can be copied.
  const often = [...counts].flatMap(([line, count]) =>
    count >= 8 && line.length > 12 && !/\d|\.txt|^Solved/.test(line) ? [line] : [],
  )
  // Pieces are joined from the left: one that began with `{"` would change how every family's JSON is cut.
  const lines = [...[...systems].flatMap((text) => text.split('\n')), ...often].map((line) =>
    line.replace(/^\{"/, ''),
  )
  // Words of questions only: pieces that stand in other families' text too would have these learned anew.
  const usual = [...counts.keys()].filter((line) => line.startsWith('Task:')).join('\n')
  const words = new Set(usual.match(/ ?[A-Za-z]{3,}/g) ?? [])
  const stems = [...THINGS, ...Object.values(FILE_NAMES).flat(), 'room', 'txt']
  return [
    ...[...words].filter((word) => !PEOPLE.includes(word.trim())),
    ...stems.flatMap((word) => [` ${word}`, word]),
    ...FIXED,
    ...lines,
  ]
}
