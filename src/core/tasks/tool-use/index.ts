import { parse as parseToml } from 'smol-toml'
import {
  whyUnreadable,
  type EnvironmentModule,
  type TaskFolder,
  type World,
} from '../../ground/environment-module'
import { choice, defineSettings, readSettings } from '../../ground/settings'
import { roundsSetting, rulesOf, ruleTemplates } from '../../ground/replies/reply-environment'
import { repliesSetting } from '../../ground/replies/reply-reader'
import type { SettingChanges } from '../../../shared/domain/setting'
import type { Task } from '../../../shared/domain/task'
import type { DomainData, ToolTask } from './entry'
import { createToolUseEnvironment, readToolTask, TOOL_USE, TOOL_USE_MAX_ROUNDS } from './environment'
import { SAY, writeAction } from './grammar'
import { toolUseReader } from './reader'
import { toolInfos, type ToolSet } from './tool'
import { playGold } from './verify'

/** What all conversations of a domain share; its digest is part of each task. */
const sharedFiles = ({ files }: ToolSet): string[] => [
  ...files.policy,
  files.database,
  ...(files.userDatabase === undefined ? [] : [files.userDatabase]),
]

const SETTINGS = defineSettings(TOOL_USE, 'Conversations with tools', {
  rounds: roundsSetting(
    TOOL_USE_MAX_ROUNDS,
    1000,
    'Replies of the agent, calls included, before a conversation is given up.',
    'tau2-bench',
  ),
  user: choice({ stream: 'As the task says', script: 'A script', model: 'A model' }, 'stream', {
    title: 'Who plays the user',
    help: 'A script is the same each time; a model reads the scenario and speaks freely. Tasks without a script are for a model.',
    source: 'tau2-bench',
  }),
  replies: repliesSetting,
})

async function attach(task: Task, folder: TaskFolder) {
  const { tools, entry } = readToolTask(task)
  const shared = sharedFiles(tools)
  try {
    return { payload: { ...entry, digest: await folder.digest(shared) } }
  } catch (error) {
    return { reason: `${shared.join(', ')} cannot be read beside the stream: ${whyUnreadable(error)}` }
  }
}

const parsed = (name: string, text: string): unknown =>
  name.endsWith('.toml') ? parseToml(text) : JSON.parse(text)

/** Policy and databases of a task; the last ones read are kept. */
function domainReader(world: World): (task: ToolTask, tools: ToolSet) => DomainData {
  let last: { readonly digest: string; readonly data: DomainData } | null = null
  return ({ source, digest }, tools) => {
    if (last?.digest === digest) return last.data
    const { policy, database, userDatabase } = tools.files
    const decoder = new TextDecoder()
    const texts = world.files(source, sharedFiles(tools), digest).map((bytes) => decoder.decode(bytes))
    const [agent = '', user = ''] = texts.slice(policy.length)
    const data: DomainData = {
      policy: texts.slice(0, policy.length).join('\n\n'),
      database: parsed(database, agent),
      ...(userDatabase !== undefined && { userDatabase: parsed(userDatabase, user) }),
    }
    last = { digest, data }
    return data
  }
}

async function open(world: World, changes: SettingChanges) {
  const { rounds, user, replies } = readSettings(SETTINGS, changes)
  return createToolUseEnvironment({
    systemPrompt: await rulesOf(world, TOOL_USE, replies, rounds),
    replies,
    userPrompt: await world.prompt(`${TOOL_USE}-user`),
    judgePrompt: await world.prompt(`${TOOL_USE}-judge`),
    data: domainReader(world),
    rounds,
    ...(user !== 'stream' && { user }),
  })
}

/** Conversations with tools, in the manner of tau2-bench. */
export const toolUse: EnvironmentModule = {
  id: TOOL_USE,
  words: {
    title: 'Conversations with tools',
    tasks: 'conversations with tools',
    about: 'Talks with a user and calls tools on a database, under a policy.',
    solved: "Every part of tau2-bench's reward that the task names holds.",
    source: "tau2-bench's tasks.json with the domain's policy and databases beside it",
    domain: TOOL_USE,
  },
  colour: 3,
  play: 'acting',
  playsUser: true,
  prompts: [...ruleTemplates(TOOL_USE), `${TOOL_USE}-user`, `${TOOL_USE}-judge`],
  settings: SETTINGS,
  sample: 'tools-retail',
  ...toolUseReader,
  attach,
  open,
  async verifier(world) {
    const environment = await open(world, {})
    return async (task) => {
      const why = await playGold(environment, task)
      return why === null ? { kind: 'agrees' } : { kind: 'disagrees', why }
    }
  },
  actions(task) {
    const { tools, domain } = readToolTask(task)
    return [...toolInfos(tools.tools, domain), SAY]
  },
  writeAction,
}
