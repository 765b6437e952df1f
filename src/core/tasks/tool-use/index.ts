import { FOREIGN_TEXTS } from '../../ground/foreign-texts'
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

/** Domains whose data is kept. */
const KEPT = 8

/** Policy and databases of tasks. `ready` reads them where nobody has to trust them; those read last are kept. */
function domainReader(world: World) {
  const domains = new Map<string, DomainData>()
  return {
    async ready({ source, digest }: ToolTask, tools: ToolSet): Promise<void> {
      const { policy, database, userDatabase } = tools.files
      const files = world.files(source, sharedFiles(tools), digest)
      if (domains.has(digest)) return
      const texts = await world.port(FOREIGN_TEXTS)
      const decoder = new TextDecoder()
      const read = (name: string, bytes: Uint8Array | undefined): Promise<unknown> =>
        texts.read(decoder.decode(bytes), name, name.endsWith('.toml') ? 'toml' : 'json')
      const [agent, user] = files.slice(policy.length)
      const data: DomainData = {
        policy: files
          .slice(0, policy.length)
          .map((bytes) => decoder.decode(bytes))
          .join('\n\n'),
        database: await read(database, agent),
        ...(userDatabase !== undefined && { userDatabase: await read(userDatabase, user) }),
      }
      domains.set(digest, data)
      const [oldest] = domains.keys()
      if (domains.size > KEPT && oldest !== undefined) domains.delete(oldest)
    },
    data({ digest }: ToolTask): DomainData {
      const data = domains.get(digest)
      if (!data) throw new Error('a conversation was opened before it was ready')
      return data
    },
  }
}

async function open(world: World, changes: SettingChanges) {
  const { rounds, user, replies } = readSettings(SETTINGS, changes)
  return createToolUseEnvironment({
    systemPrompt: await rulesOf(world, TOOL_USE, replies, rounds),
    replies,
    userPrompt: await world.prompt(`${TOOL_USE}-user`),
    judgePrompt: await world.prompt(`${TOOL_USE}-judge`),
    ...domainReader(world),
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
