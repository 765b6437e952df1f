import { z } from 'zod'
import { defineSettings, settingsReader } from '../../ground/settings'
import { learnedSettings, networkSettings, replaySettings, targetSettings } from '../../memory/cases/settings'

export const SETTINGS = defineSettings('case-bank-softq', 'Case bank with soft Q-learning', {
  form: z
    .enum(['deep', 'tabular'])
    .default('deep')
    .meta({
      title: 'Keep values in',
      help: 'A network also judges pairs it has not met; a table only those it has.',
      source: 'Memento, table 7',
      choices: { deep: 'a network', tabular: 'a table' },
    }),
  ...learnedSettings(
    0.01,
    30,
    'attempts',
    'Attempts with recalled cases (of a table: updates of the entry) after which Q counts as much as similarity.',
  ),
  ...targetSettings,
  ...replaySettings(4, 32),
  ...networkSettings,
})

/** Its own settings, complete. */
export const readOwn = settingsReader(SETTINGS)
