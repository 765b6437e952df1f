import { join } from 'node:path'
import { programData, type ModelStore, readByPath } from './store'

/** GPT4All's application and its Python package: GGUF files side by side in one folder. */
export const gpt4all: ModelStore = {
  id: 'gpt4all',
  title: 'GPT4All',
  folders: (places) => [
    join(programData(places, 'Local'), 'nomic.ai', 'GPT4All'),
    join(places.home, '.cache', 'gpt4all'),
  ],
  read: readByPath,
}
