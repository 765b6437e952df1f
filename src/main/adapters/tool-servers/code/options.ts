import { z } from 'zod'
import { network, root, timeLimit } from '../options'

/** What it can be started with. */
export const options = z.strictObject({
  root: root('The folder it works in; without one, a fresh temporary folder.'),
  timeLimit,
  memoryLimit: z
    .number()
    .int()
    .min(1)
    .max(4096)
    .default(512)
    .meta({ title: 'Memory', help: 'WebAssembly memory of Python and JavaScript.', unit: 'MiB' }),
  folderLimit: z
    .number()
    .int()
    .min(1)
    .max(4096)
    .default(64)
    .meta({ title: 'Size of the folder', help: 'What the folder may hold.', unit: 'MiB' }),
  libraries: z.string().default('').meta({
    title: 'Python libraries',
    help: 'Folder of libraries such as numpy; without one Python has its standard library.',
    unit: 'DIR',
  }),
  librariesFrom: z
    .string()
    .regex(/^(?:https?:\/\/.*)?$/, 'must be an http or https address')
    .default('')
    .meta({
      title: 'Source of libraries',
      help: 'Where missing ones are fetched; default: where Pyodide publishes them.',
      unit: 'URL',
    }),
  network,
})
export type CodeOptions = z.output<typeof options>
