import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { readForeignText } from '../../ground/isolate/foreign-text'
import { type ModelStore, readByPath } from './store'

const settingsSchema = z.object({ downloadsFolder: z.string() })

/** LM Studio: PUBLISHER/MODEL/FILE.gguf below a folder that its settings may move elsewhere. */
export const lmStudio: ModelStore = {
  id: 'lm-studio',
  title: 'LM Studio',
  async folders({ home }) {
    const pointed = await readFile(join(home, '.lmstudio-home-pointer'), 'utf8').then(
      (text) => text.trim(),
      () => '',
    )
    const homes = [
      ...(isAbsolute(pointed) ? [pointed] : []),
      join(home, '.lmstudio'),
      join(home, '.cache', 'lm-studio'),
    ]
    const groupedChoices = await Promise.all(homes.map(downloadsFolder))
    return [...new Set([...groupedChoices.flat(), ...homes.map((folder) => join(folder, 'models'))])]
  },
  read: readByPath,
}

/** Where a person had it put them, if anywhere. */
const downloadsFolder = async (home: string): Promise<string[]> => {
  try {
    const path = join(home, 'settings.json')
    const settings = await readForeignText(await readFile(path, 'utf8'), path, 'json')
    const { downloadsFolder: folder } = settingsSchema.parse(settings)
    return isAbsolute(folder) ? [folder] : []
  } catch {
    // No settings, or none that say so.
    return []
  }
}
