import { toolServer } from '../module'
import { options } from './options'

const RUNS = "runs code over the task's files, walled off from everything else"
const LOOKS = "reads the task's files"

/** JavaScript and Python in WebAssembly and a simulated shell, over one folder that lasts. */
export const code = toolServer({
  id: 'code',
  about: 'Python, JavaScript and a shell, walled off, over the task’s folder',
  files: { 'rows.txt': 'three\nrows\nhere\n' },
  tools: [
    {
      name: 'run_python',
      needs: RUNS,
      example: { args: { code: 'sum(range(5))' }, answers: '10' },
      wrong: { code: 'raise ValueError("no")' },
    },
    {
      name: 'run_javascript',
      needs: RUNS,
      example: { args: { code: '[1, 2, 3].length * 7' }, answers: '21' },
      wrong: { code: 'throw new Error("no")' },
    },
    {
      name: 'run_shell',
      needs: RUNS,
      example: { args: { script: 'wc -l < rows.txt' }, answers: '3' },
      wrong: { script: 'cat nothing.txt' },
    },
    { name: 'list_files', needs: LOOKS, example: { args: {}, answers: 'rows.txt' }, wrong: null },
    {
      name: 'read_file',
      needs: LOOKS,
      example: { args: { path: 'rows.txt' }, answers: 'three' },
      wrong: { path: '../private.txt' },
    },
    {
      name: 'write_file',
      needs: "writes into the task's folder",
      example: { args: { path: 'note.txt', text: 'kept' }, answers: 'Wrote 4 bytes' },
      wrong: { path: '../note.txt', text: 'lost' },
    },
    {
      name: 'reset_session',
      needs: 'forgets what code has defined',
      example: { args: { language: 'python' }, answers: 'Starting anew' },
      wrong: { language: 'cobol' },
    },
  ],
  options,
  forRun: ({ folder, seconds, network, libraries }) => ({
    root: [folder],
    timeLimit: seconds,
    network,
    libraries,
  }),
  open: async (given, version) => (await import('./server')).openCodeServer(given, version),
})
