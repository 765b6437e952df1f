import { z } from 'zod'
import { loamLinkSchema } from '../domain/desktop'
import { settingsChangeSchema, settingsSchema } from '../domain/memory-info'
import { managing, reading, showing } from './procedure'
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
  takeOpened: showing(
    'Paths of files, and what links ask for, that a person opened with Loam since this was asked last.',
  ).output(z.object({ paths: z.array(z.string()), links: z.array(loamLinkSchema) })),
}
