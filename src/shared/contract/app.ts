import { z } from 'zod'
import { loamLinkSchema } from '../domain/desktop'
import { settingsChangeSchema, settingsSchema } from '../domain/memory-info'
import { updateStateSchema } from '../domain/update'
import { following, managing, onlyOne, reading, showing } from './procedure'
import { count } from '../domain/units'

/** Loam itself: what it is, and its settings. */
export const app = {
  info: reading('What this Loam is, and where its data lies.').output(
    z.object({
      version: z.string(),
      dataPath: z.string(),
      host: z.enum(['electron', 'headless', 'terminal', 'memory']),
      node: z.string(),
      /** Why there is no desktop window, when there is none. */
      windowless: z.string().nullable(),
      firstStart: z.boolean(),
      outgoingConnections: count,
      /** Records of the data folder that were found damaged since Loam was opened, and what was done, in words. */
      damage: z.array(z.string()),
    }),
  ),
  settings: reading('The settings.').output(settingsSchema),
  saveSettings: managing('Changes some settings and answers all of them.')
    .input(settingsChangeSchema)
    .output(settingsSchema),
  watchUpdate: following('Follows whether there is a newer Loam.', onlyOne, updateStateSchema),
  lookForUpdate: managing('Asks whether there is a newer Loam. Needs the network.').output(updateStateSchema),
  fetchUpdate: managing('Begins to fetch the newer Loam that is offered, and checks its sum.').output(
    updateStateSchema,
  ),
  installUpdate: managing('Has the newer Loam that is here installed when this one is quit, or not.')
    .input(z.object({ onQuit: z.boolean() }))
    .output(updateStateSchema),
  takeOpened: showing(
    'Paths of files, and what links ask for, that a person opened with Loam since this was asked last.',
  ).output(z.object({ paths: z.array(z.string()), links: z.array(loamLinkSchema) })),
}
