import type { ToolInfo } from '../../ground/tools'
import { exactObject } from '../../ground/exact-object'

/** What an agent can do with a system. */
export const ACTIONS: readonly ToolInfo[] = [
  {
    name: 'bash',
    server: 'system',
    description: 'Runs a bash script as root, in a fresh shell, and answers with what it writes.',
    inputSchema: exactObject({ script: { type: 'string', description: 'The script.' } }),
  },
  {
    name: 'finish',
    server: 'system',
    description: 'Ends the task: the system is as it was asked for.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  },
]

/** An action in the benchmark's text form, as `parseLabOsAction` reads it. */
export const writeAction = (name: string, args: Readonly<Record<string, unknown>>): string =>
  name === 'finish' ? 'Act: finish' : `Act: bash\n\n\`\`\`bash\n${String(args['script'] ?? '')}\n\`\`\``
