import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { z } from 'zod'
import type { LeftOutFile } from '../../../shared/domain/model'
import { readForeignText } from '../../ground/isolate/foreign-text'
import { partsOf } from '../../gguf/gguf-parts'
import { findGgufFiles } from '../gguf-files'
import { programData, type ModelStore, type StoredModel, listOrNothing, nameBelow } from './store'
import { folderOr } from '../../ground/data-path'

const modelSchema = z.object({ model_path: z.string() })
const DEEPEST = 4

/** Jan: llamacpp/models/OWNER/NAME/model.gguf with a model.yml beside it, which may name a file anywhere. */
export const jan: ModelStore = {
  id: 'jan',
  title: 'Jan',
  folders: (places) => {
    const { env, home, platform } = places
    const configured =
      platform === 'darwin' || platform === 'win32'
        ? []
        : [join(folderOr(env['XDG_CONFIG_HOME'], join(home, '.config')), 'Jan', 'data')]
    return [join(programData(places, 'Roaming'), 'Jan', 'data'), ...configured, join(home, 'jan')]
  },
  async read(folder, signal) {
    const models: StoredModel[] = []
    const rest: LeftOutFile[] = []
    for (const below of [join(folder, 'llamacpp', 'models'), join(folder, 'models')]) {
      const files = await findGgufFiles(below, signal)
      rest.push(...files.left)
      models.push(
        ...files.files.map((file) => ({
          ...file,
          name:
            basename(file.path) === 'model.gguf'
              ? relative(below, dirname(file.path)).split(sep).join('/')
              : nameBelow(below, file),
        })),
      )
      await readCards(folder, below, models, rest)
    }
    return { models, left: rest }
  },
}

/** Models that a model.yml names where they lie, outside of Jan's own folders. */
async function readCards(
  data: string,
  below: string,
  models: StoredModel[],
  rest: LeftOutFile[],
): Promise<void> {
  const knownSet = new Set(models.map(({ path }) => path))
  const visit = async (folder: string, depth: number): Promise<void> => {
    for (const name of await listOrNothing(folder)) {
      const path = join(folder, name)
      if (name !== 'model.yml') {
        if (depth < DEEPEST && (await isFolder(path))) await visit(path, depth + 1)
        continue
      }
      try {
        const { model_path } = modelSchema.parse(
          await readForeignText(await readFile(path, 'utf8'), path, 'yaml'),
        )
        const file = isAbsolute(model_path) ? model_path : join(data, model_path)
        if (knownSet.has(file)) continue
        if (await stat(file).catch(() => null))
          models.push({
            path: file,
            parts: partsOf(file),
            name: relative(below, folder).split(sep).join('/'),
          })
        else rest.push({ path, why: `It names ${file}, which is not there.` })
      } catch {
        rest.push({ path, why: 'It does not say which file its model is.' })
      }
    }
  }
  await visit(below, 0)
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
