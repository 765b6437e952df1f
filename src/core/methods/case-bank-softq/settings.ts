import { choice, defineSettings, settingsReader } from '../../ground/settings'
import { learnedSettings, networkSettings, replaySettings, targetSettings } from '../../memory/cases/settings'

export const SETTINGS = defineSettings('case-bank-softq', 'Case bank with soft Q-learning', {
  form: choice({ deep: 'a network', tabular: 'a table' }, 'deep', {
    title: 'Keep values in',
    help: 'A network also judges pairs it has not met; a table only those it has.',
    source: 'Memento, table 7',
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
