import { lifelongEntries, type EnvironmentModule } from '../../ground/environment-module'
import { defineSettings, readSettings, whole } from '../../ground/settings'
import { roundsSetting, rulesOf, ruleTemplates } from '../../ground/replies/reply-environment'
import { repliesSetting } from '../../ground/replies/reply-reader'
import { ACTIONS, writeAction } from './actions'
import { labOsEntrySchema } from './entry'
import { createLabOsEnvironment, LAB_OS, LAB_OS_MAX_ROUNDS, LAB_OS_SECONDS } from './environment'
import { OS_DRIVERS } from './machine'
import { MACHINE_SETTINGS } from './machine-settings'
import { verifyEntry } from './verify'

const SETTINGS = defineSettings(LAB_OS, 'Operating systems', {
  rounds: roundsSetting(
    LAB_OS_MAX_ROUNDS,
    30,
    'Replies an attempt may take; a command in the last one ends it.',
    'LifelongAgentBench',
  ),
  seconds: whole(1, 120, LAB_OS_SECONDS, {
    title: 'Time for a command',
    help: 'A command that takes longer is told to have timed out.',
    unit: 'seconds',
    source: 'LifelongAgentBench',
  }),
  replies: repliesSetting,
  ...MACHINE_SETTINGS,
})

/** LifelongAgentBench's operating systems. */
export const labOs: EnvironmentModule = {
  id: LAB_OS,
  words: {
    title: 'Operating systems',
    tasks: 'operating system tasks',
    about: 'Runs bash scripts as root in a small system, made anew for each attempt.',
    solved: 'The evaluation script ends with exit code 0.',
    source: "LifelongAgentBench's os_interaction.json",
    domain: 'operating systems',
  },
  colour: 5,
  play: 'acting',
  prompts: ruleTemplates(LAB_OS),
  settings: SETTINGS,
  sample: 'small-systems',
  recognises: (entry) => 'initialization_command_item' in entry || 'evaluation_info' in entry,
  read: lifelongEntries(labOsEntrySchema),
  async open(world, changes) {
    const { rounds, seconds, replies, ...choice } = readSettings(SETTINGS, changes)
    const systemPrompt = await rulesOf(world, LAB_OS, replies, rounds)
    const driver = await (await world.port(OS_DRIVERS)).find(choice)
    return createLabOsEnvironment({ systemPrompt, driver, rounds, seconds, replies })
  },
  async verifier(world, changes = {}) {
    const { seconds, ...choice } = readSettings(SETTINGS, changes)
    const driver = await (await world.port(OS_DRIVERS)).find(choice)
    return (task) => verifyEntry(driver, task, seconds)
  },
  actions: () => ACTIONS,
  writeAction,
}
