import { z } from 'zod'
import type { SettingChanges, SettingGroupInfo } from '../../shared/domain/setting'
import type { LanguageModel, Thinking } from '../ground/chat'
import type { EnvironmentModule } from '../ground/environment-module'
import { choice, defineSettings, groupInfo, readSettings, text, whole } from '../ground/settings'

/** Who asks a model besides the actor, which asks the run's own. */
export const ROLE_NAMES = ['planner', 'executor', 'writer', 'judge', 'user'] as const
export type RoleName = (typeof ROLE_NAMES)[number]

const model = (title: string, whom: string) =>
  text('', { title, help: `${whom} Empty: the run’s model.`, look: 'model' })
const temperature = (title: string, otherwise: string) =>
  z
    .union([z.literal(''), z.number().min(0).max(2)])
    .default('')
    .meta({ title, help: '0 always takes the likeliest word.', empty: otherwise })
const thinking = (title: string) =>
  choice({ actor: 'as the actor', off: 'off', on: 'on' }, 'actor', {
    title,
    help: 'Whether its model thinks before it replies, where it can.',
  })

/** The model, temperature and thinking of every role of a run. Whatever is left alone is the actor's. */
export const ROLES = defineSettings('roles', 'Roles', {
  actorThinking: choice({ off: 'off', on: 'on' }, 'off', {
    title: 'Actor thinks',
    help: 'Whether the run’s model thinks before it acts, where it can.',
  }),
  plannerModel: model('Planner’s model', 'Who plans how questions are answered.'),
  plannerTemperature: temperature('Planner’s temperature', 'the actor’s'),
  plannerThinking: thinking('Planner thinks'),
  executorModel: model('Executor’s model', 'Who works on the steps of a plan, with tools.'),
  executorTemperature: temperature('Executor’s temperature', 'the actor’s'),
  executorThinking: thinking('Executor thinks'),
  writerModel: model('Writer’s model', 'Who writes lessons, summaries and documents.'),
  writerTemperature: temperature('Writer’s temperature', 'low'),
  writerThinking: thinking('Writer thinks'),
  judgeModel: model('Judge’s model', 'Who judges answers, where a judge decides.'),
  judgeTemperature: temperature('Judge’s temperature', '0'),
  judgeThinking: thinking('Judge thinks'),
  userModel: model('Simulated user’s model', 'Who plays the user in conversations.'),
  userTemperature: temperature('Simulated user’s temperature', '0'),
  userThinking: thinking('Simulated user thinks'),
  thoughtTokens: whole(16, 32_768, 1024, {
    title: 'Longest thought',
    help: 'Most tokens of one thought, for every role that thinks.',
    unit: 'tokens',
  }),
})

/** The roles that an environment's tasks have. */
export const rolesIn = ({ play, playsUser }: Pick<EnvironmentModule, 'play' | 'playsUser'>): RoleName[] =>
  play === 'questions'
    ? ['planner', 'executor', 'writer', 'judge']
    : ['writer', ...(playsUser === true ? (['judge', 'user'] as const) : [])]

/** The settings of those roles alone, as they are asked for. */
export function roleGroup(environment: Pick<EnvironmentModule, 'play' | 'playsUser'>): SettingGroupInfo {
  const present = rolesIn(environment)
  const absent = ROLE_NAMES.filter((name) => !present.includes(name))
  const group = groupInfo(ROLES)
  return { ...group, fields: group.fields.filter(({ key }) => !absent.some((name) => key.startsWith(name))) }
}

/** What a role was given of its own. */
export interface RoleChoice {
  /** What its model is chosen by; null: the run's. */
  readonly model: string | null
  /** Null: as the one who asks has it. */
  readonly temperature: number | null
  readonly thinking: Thinking
}

/** What the actor and every role were given. */
export type RoleChoices = Readonly<Record<RoleName | 'actor', RoleChoice>>

/** Reads them off a run's settings; those of older runs, whose roles were settings of planner and executor, too. */
export function readRoles(settings: SettingChanges): RoleChoices {
  const own = readSettings(ROLES, moveRoles(settings))
  const budget = { budget: own.thoughtTokens }
  const choice = (name: RoleName): RoleChoice => {
    const thinks = own[`${name}Thinking`] === 'actor' ? own.actorThinking : own[`${name}Thinking`]
    const chosenChoice = own[`${name}Model`].trim()
    const warmth = own[`${name}Temperature`]
    return {
      model: chosenChoice === '' ? null : chosenChoice,
      temperature: warmth === '' ? null : warmth,
      thinking: thinks === 'on' ? budget : 'off',
    }
  }
  return {
    actor: { model: null, temperature: null, thinking: own.actorThinking === 'on' ? budget : 'off' },
    planner: choice('planner'),
    executor: choice('executor'),
    writer: choice('writer'),
    judge: choice('judge'),
    user: choice('user'),
  }
}

const MOVED = ['plannerModel', 'executorModel', 'judgeModel'] as const

/** Settings as they are called today: models of roles were settings of planner and executor once. */
export function moveRoles(settings: SettingChanges): SettingChanges {
  const { agent } = settings
  if (agent === undefined || !MOVED.some((key) => key in agent)) return settings
  const isMoved = (key: string): boolean => (MOVED as readonly string[]).includes(key)
  const part = (isMovedNow: boolean) =>
    Object.fromEntries(Object.entries(agent).filter(([key]) => isMoved(key) === isMovedNow))
  const { agent: _agent, ...others } = settings
  const rest = part(false)
  return {
    ...others,
    ...(Object.keys(rest).length > 0 && { agent: rest }),
    [ROLES.id]: { ...part(true), ...settings[ROLES.id] },
  }
}

/** The models that roles have to themselves, besides the run's, each once. */
export const otherModels = (run: string, settings: SettingChanges): string[] => [
  ...new Set(
    Object.values(readRoles(settings)).flatMap(({ model: own }) =>
      own === null || own === run ? [] : [own],
    ),
  ),
]

/** A model as a role asks it: with the role's temperature and thinking, whatever the request says of the first and unless it says something of the second. */
export function inRole(
  askedModel: LanguageModel,
  { temperature: warmth, thinking: thinks }: RoleChoice,
): LanguageModel {
  if (warmth === null && thinks === 'off') return askedModel
  return {
    ...askedModel,
    generate: (request, options) =>
      askedModel.generate(
        {
          ...request,
          ...(warmth !== null && { temperature: warmth }),
          ...(request.thinking === undefined &&
            thinks !== 'off' && { thinking: thinks, maxTokens: roomToThink(request.maxTokens, thinks) }),
        },
        options,
      ),
  }
}

const USUAL_REPLY = 512

/** The tokens of a reply that may be thought about first: thoughts count, and must not eat up the reply. */
const roomToThink = (reply: number | undefined, thinks: Thinking): number =>
  (reply ?? USUAL_REPLY) + (typeof thinks === 'object' ? thinks.budget : 0)
