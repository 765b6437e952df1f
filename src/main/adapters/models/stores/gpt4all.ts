import { join } from 'node:path'
import { readByPath } from './named-by-path'
import type { ModelStore } from './store'

/** GPT4All's application and its Python package: GGUF files side by side in one folder. */
export const gpt4all: ModelStore = {
  id: 'gpt4all',
  title: 'GPT4All',
  folders: ({ home, env, platform }) => {
    const python = join(home, '.cache', 'gpt4all')
    switch (platform) {
      case 'darwin':
        return [join(home, 'Library', 'Application Support', 'nomic.ai', 'GPT4All'), python]
      case 'win32':
        return [join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'nomic.ai', 'GPT4All'), python]
      default:
        return [join(env['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'nomic.ai', 'GPT4All'), python]
    }
  },
  read: readByPath,
}
