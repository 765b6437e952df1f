import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StudyTemplate } from '../../shared/domain/experiment'
import { readStudyText } from './study-file'

/** The studies that come with Loam (`<id>.yaml`; the first comment says what it asks), by name. */
export async function loadTemplates(folder: string): Promise<StudyTemplate[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8')
      const description = /^#\s*(.+)$/m.exec(text)?.[1] ?? ''
      return {
        id: file.slice(0, -'.yaml'.length),
        description,
        definition: readStudyText(text, file),
      }
    }),
  )
}
