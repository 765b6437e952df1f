import { toolServer, toolThat } from '../module'
import { options } from './options'

const runs = toolThat("runs code over the task's files, walled off from everything else")
const looks = toolThat("reads the task's files")
const writes = toolThat("writes into the task's folder")
const forgets = toolThat('forgets what code has defined')

/** JavaScript and Python in WebAssembly and a simulated shell, over one folder that lasts. */
export const code = toolServer({
  id: 'code',
  about: 'Python, JavaScript and a shell, walled off, over the task’s folder',
  files: { 'rows.txt': 'three\nrows\nhere\n' },
  isNeeded: ({ files }) => files.length > 0,
  tools: [
    runs('run_python', { code: 'sum(range(5))' }, '10', { code: 'raise ValueError("no")' }),
    runs('run_javascript', { code: '[1, 2, 3].length * 7' }, '21', { code: 'throw new Error("no")' }),
    runs('run_shell', { script: 'wc -l < rows.txt' }, '3', { script: 'cat nothing.txt' }),
    looks('list_files', {}, 'rows.txt', null),
    looks('read_file', { path: 'rows.txt' }, 'three', { path: '../private.txt' }),
    writes('write_file', { path: 'note.txt', text: 'kept' }, 'Wrote 4 bytes', {
      path: '../note.txt',
      text: 'lost',
    }),
    forgets('reset_session', { language: 'python' }, 'Starting anew', { language: 'cobol' }),
  ],
  options,
  forRun: ({ folder, seconds, network, libraries }) => ({
    root: [folder],
    timeLimit: seconds,
    network,
    libraries,
  }),
  open: async (input, version) => (await import('./server')).openCodeServer(input, version),
})
