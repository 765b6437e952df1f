import { z } from 'zod'
import { text, whole } from '../../../core/ground/settings'
import { address, network, root, timeLimit } from '../options'

/** What it can be started with. */
export const options = z.strictObject({
  root: root('The folder it works in; without one, a fresh temporary folder.'),
  timeLimit,
  memoryLimit: whole(1, 4096, 512, {
    title: 'Memory',
    help: 'WebAssembly memory of Python and JavaScript.',
    unit: 'MiB',
  }),
  folderLimit: whole(1, 4096, 64, {
    title: 'Size of the folder',
    help: 'What the folder may hold.',
    unit: 'MiB',
  }),
  libraries: text('', {
    title: 'Python libraries',
    help: 'Folder of libraries such as numpy; without one Python has its standard library.',
    unit: 'DIR',
  }),
  librariesFrom: address({
    title: 'Source of libraries',
    help: 'Where missing ones are fetched; default: where Pyodide publishes them.',
  }),
  network,
})
export type CodeOptions = z.output<typeof options>
