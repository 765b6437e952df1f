import { defineSettings, settingsReader } from '../../ground/settings'
import { learnedSettings, networkSettings, replaySettings } from '../../memory/cases/settings'

export const SETTINGS = defineSettings('case-bank-q', 'Case bank that learns what helps', {
  ...learnedSettings(
    0.01,
    30,
    'attempts',
    'Attempts with recalled cases after which Q counts as much as similarity.',
  ),
  ...replaySettings(4, 32),
  ...networkSettings,
})

/** Its own settings, complete. */
export const readOwn = settingsReader(SETTINGS)
