import type { SettingChanges } from '../../../shared/domain/setting'
import type { Task } from '../../../shared/domain/task'
import {
  describeIssues,
  portKey,
  whyUnreadable,
  type EnvironmentModule,
  type TaskFolder,
  type World,
} from '../../ground/environment-module'
import { roundsSetting, rulesOf, ruleTemplates } from '../../ground/replies/reply-environment'
import { repliesSetting } from '../../ground/replies/reply-reader'
import { defineSettings, readSettings, whole } from '../../ground/settings'
import type { OsDrivers } from '../lab-os/machine'
import { MACHINE_SETTINGS } from '../lab-os/machine-settings'
import { ACTIONS, writeAction } from './actions'
import { codeEntrySchema, type CodeEntry } from './entry'
import { CODE, CODE_MAX_ROUNDS, createCodeEnvironment, type CodeOptions } from './environment'
import { verifyEntry } from './verify'

/** Where systems come from that programs run in: the simulated one has Node and Python here. */
export const CODE_MACHINES = portKey<OsDrivers>('systems with programs')

/** Most files of a repository. */
const MOST_FILES = 20_000

const SETTINGS = defineSettings(CODE, 'Code', {
  rounds: roundsSetting(
    CODE_MAX_ROUNDS,
    200,
    'Replies an attempt may take; the tests then decide about what is there.',
  ),
  seconds: whole(1, 600, 60, {
    title: 'Time for a command',
    help: 'A command of the agent that takes longer is ended.',
    unit: 'seconds',
  }),
  testSeconds: whole(1, 3600, 300, {
    title: 'Time for the tests',
    help: 'Tests that take longer have failed.',
    unit: 'seconds',
  }),
  replies: repliesSetting,
  ...MACHINE_SETTINGS,
})

/** Folders that a task's repository may lie in, the likeliest first. */
function candidates({ repository, instance_id, repo }: CodeEntry): string[] {
  if (repository !== undefined) return [repository]
  const plain = (name: string): boolean => /^(?!\.{1,2}$)[^/\\\0]+$/.test(name)
  return [instance_id, repo.replace('/', '__'), repo.split('/').at(-1) ?? ''].filter(plain)
}

async function attach({ payload }: Task, folder: TaskFolder) {
  const entry = codeEntrySchema.parse(payload)
  const names = new Set(await folder.names('').catch(() => []))
  const matchText = candidates(entry).find((name) => names.has(name))
  if (matchText === undefined)
    return {
      reason: `its repository is not beside the stream, as a folder called ${candidates(entry).join(' or ')}`,
    }
  try {
    const paths = await folder.files(matchText, MOST_FILES)
    if (paths === null) return { reason: `its repository has more than ${MOST_FILES} files` }
    return {
      payload: { ...entry, snapshot: { folder: matchText, paths, digest: await folder.digest(paths) } },
    }
  } catch (error) {
    return { reason: `its repository in ${matchText} cannot be read: ${whyUnreadable(error)}` }
  }
}

const snapshotOf =
  (world: World): CodeOptions['snapshot'] =>
  ({ source, snapshot }) => {
    const { folder, paths, digest } = snapshot ?? { folder: '', paths: [], digest: '' }
    const files = world.files(source, paths, digest)
    return new Map(paths.map((path, i) => [path.slice(folder.length + 1), files[i] ?? new Uint8Array()]))
  }

async function optionsOf(world: World, changes: SettingChanges): Promise<CodeOptions> {
  const { driver, root, image, replies, ...limits } = readSettings(SETTINGS, changes)
  return {
    systemPrompt: await rulesOf(world, CODE, replies, limits.rounds),
    driver: await (await world.port(CODE_MACHINES)).find({ driver, root, image }),
    replies,
    ...limits,
    snapshot: snapshotOf(world),
  }
}

/** Repositories with a bug, and tests that tell when it is gone. */
export const code: EnvironmentModule = {
  id: CODE,
  words: {
    title: 'Code',
    tasks: 'code tasks',
    about: 'Mends a repository: reads, searches, edits and runs in a system of its own.',
    solved: 'All tests of the task pass, those that failed before and those that did not.',
    source: "SWE-bench's rows, with each repository as a folder beside the file",
    domain: 'code',
  },
  colour: 6,
  play: 'acting',
  prompts: ruleTemplates(CODE),
  settings: SETTINGS,
  sample: 'small-repairs',
  forms: [
    {
      name: "SWE-bench's form",
      fields: [
        'instance_id',
        'repo',
        'problem_statement',
        'patch',
        'test_patch',
        'FAIL_TO_PASS',
        'PASS_TO_PASS',
      ],
    },
  ],
  recognises: (entry) => 'problem_statement' in entry && 'FAIL_TO_PASS' in entry,
  read(entry, { source }) {
    const parsed = codeEntrySchema.safeParse(entry)
    if (!parsed.success) return { reason: describeIssues(parsed.error) }
    const { instance_id, problem_statement, skills, repo } = parsed.data
    const payload: CodeEntry = { ...parsed.data, source }
    const about = skills.length > 0 || repo === '' ? skills : [repo]
    return { id: instance_id, instruction: problem_statement, skills: about, payload }
  },
  attach,
  open: async (world, changes) => createCodeEnvironment(await optionsOf(world, changes)),
  async verifier(world, changes = {}) {
    const options = await optionsOf(world, changes)
    return (task) => verifyEntry(task, options)
  },
  actions: () => ACTIONS,
  writeAction,
}
