import type { ToolInfo } from '../../ground/tools'
import { writeCall } from '../tool-use/grammar'

const action = (
  name: string,
  description: string,
  properties: Readonly<Record<string, { readonly type: string; readonly description: string }>>,
  required: readonly string[] = Object.keys(properties),
): ToolInfo => ({
  name,
  server: 'repository',
  description,
  inputSchema: { type: 'object', properties, required, additionalProperties: false },
})

const path = { type: 'string', description: 'Path from the top of the repository.' }

/** What an agent can do in a repository. */
export const ACTIONS: readonly ToolInfo[] = [
  action(
    'read',
    'Shows a file with numbered lines.',
    {
      path,
      from: { type: 'integer', description: 'First line. Default: 1.' },
      to: { type: 'integer', description: 'Last line. Default: 200 lines from the first.' },
    },
    ['path'],
  ),
  action(
    'search',
    'Finds a text, word for word, in the files of the repository or of a folder.',
    {
      text: { type: 'string', description: 'What to look for.' },
      path: { ...path, description: 'Where. Default: everywhere.' },
    },
    ['text'],
  ),
  action('edit', 'Replaces a text that occurs once in a file; with an empty `old`, writes a new file.', {
    path,
    old: { type: 'string', description: 'The text as it stands, with its blanks.' },
    new: { type: 'string', description: 'What stands there instead.' },
  }),
  action('run', 'Runs a bash script at the top of the repository and answers with what it writes.', {
    script: { type: 'string', description: 'The script.' },
  }),
  action('finish', 'Ends the task: the repository is mended.', {}),
]

/** An action in the text form that the environment asks for. */
export const writeAction = (name: string, args: Readonly<Record<string, unknown>>): string =>
  writeCall(name, args)
