import { describeIssues, type EnvironmentModule } from '../../ground/environment-module'
import { roundsSetting, rulesOf, ruleTemplates } from '../../ground/replies/reply-environment'
import { repliesSetting } from '../../ground/replies/reply-reader'
import { choice, defineSettings, readSettings } from '../../ground/settings'
import { workplaceEntrySchema } from './entry'
import {
  createWorkplaceEnvironment,
  levelIn,
  readWorkplaceTask,
  toolsOf,
  WORKPLACE,
  WORKPLACE_MAX_ROUNDS,
  writeAction,
} from './environment'
import { openRoom, type Level } from './room'

const SETTINGS = defineSettings(WORKPLACE, 'Workplaces', {
  rounds: roundsSetting(
    WORKPLACE_MAX_ROUNDS,
    60,
    'Replies an attempt may take; what is done by then counts.',
  ),
  level: choice(
    {
      task: 'As the task says, else all steps, pages to be read',
      0: 'One step, one tool, pages to be remembered',
      1: 'One step, pages shown',
      2: 'All steps, pages shown',
      3: 'All steps, pages to be read',
    },
    'task',
    { title: 'Level', help: 'How much of the work is left to do, and whether the handbook lies open.' },
  ),
  replies: repliesSetting,
})

const LEVELS = new Map<string, Level>([
  ['0', 0],
  ['1', 1],
  ['2', 2],
  ['3', 3],
])
const levelOf = (level: string): Level | undefined => LEVELS.get(level)

/** Made-up workplaces: procedures with an order, tools that refuse, a handbook in prose. */
export const workplace: EnvironmentModule = {
  id: WORKPLACE,
  words: {
    title: 'Workplaces',
    tasks: 'tasks at a workplace',
    about: 'Follows the procedures of a made-up workplace, with its tools and its handbook.',
    solved: 'Everything that is to leave has left as the handbook wants it, and nothing else was touched.',
    source: 'generated workplaces (`loam streams generate workplaces`)',
    domain: 'procedures',
  },
  colour: 8,
  play: 'acting',
  prompts: ruleTemplates(WORKPLACE),
  settings: SETTINGS,
  sample: 'workplace-a',
  recognises: (entry) => 'workplace' in entry && 'wanted' in entry,
  read(entry) {
    const parsed = workplaceEntrySchema.safeParse(entry)
    if (!parsed.success) return { reason: describeIssues(parsed.error) }
    const { id, instruction, skill_list } = parsed.data
    try {
      openRoom(parsed.data, 3)
    } catch (error) {
      return { reason: error instanceof Error ? error.message : 'its items are none of its workplace' }
    }
    return { id, instruction, skills: skill_list, payload: parsed.data }
  },
  async open(world, changes) {
    const { rounds, level, replies } = readSettings(SETTINGS, changes)
    const systemPrompt = await rulesOf(world, WORKPLACE, replies, rounds)
    return createWorkplaceEnvironment({ systemPrompt, rounds, replies, level: levelOf(level) })
  },
  verifier: (_world, changes = {}) => {
    const { level } = readSettings(SETTINGS, changes)
    return Promise.resolve((task) => {
      const entry = readWorkplaceTask(task)
      const room = openRoom(entry, levelIn(entry, levelOf(level)))
      for (const { name, args } of room.plan()) {
        const { text, failed } = room.call(name, args)
        if (failed) return Promise.resolve({ kind: 'disagrees', why: text } as const)
      }
      return Promise.resolve(
        room.isRight()
          ? ({ kind: 'agrees' } as const)
          : ({ kind: 'disagrees', why: 'The work is not as the handbook wants it.' } as const),
      )
    })
  },
  solution: (_world, changes = {}) => {
    const { level } = readSettings(SETTINGS, changes)
    return Promise.resolve((task) => {
      const entry = readWorkplaceTask(task)
      const plan = openRoom(entry, levelIn(entry, levelOf(level))).plan()
      const calls = plan.map(({ name, args }) => writeAction(name, args))
      return Promise.resolve([...calls, 'Everything that is to leave has left.'].join('\n\n'))
    })
  },
  actions: (task) => toolsOf(task),
  writeAction,
}
