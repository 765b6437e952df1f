import { defineSettings, settingsReader, whole } from '../../ground/settings'
import { learnedSettings, replaySettings, targetSettings } from '../../memory/cases/settings'

export const SETTINGS = defineSettings('case-bank-nec', 'Case bank with episodic control', {
  ...learnedSettings(
    0.02,
    3,
    'uses',
    'Past uses of a case in the very same kind of task after which Q counts as much as similarity.',
  ),
  ...targetSettings,
  ...replaySettings(1, 8),
  entries: whole(1, 1000, 16, {
    title: 'Uses remembered per case',
    help: 'The newest ones.',
    unit: 'uses',
    source: 'Memento, eq. 9',
  }),
})

/** Its own settings, complete. */
export const readOwn = settingsReader(SETTINGS)
