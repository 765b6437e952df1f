import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { LoamError } from '../../../shared/errors'
import { readForeignText } from '../../ground/isolate/foreign-text'
import type { LeftOutFile } from '../../../shared/domain/model'
import { errnoOf } from '../../ground/errno'
import { unreadable } from '../gguf-files'
import type { ModelStore, StoredModel } from './store'

const LAYER = 'application/vnd.ollama.image.'
const layerSchema = z.object({ mediaType: z.string(), digest: z.string(), size: z.number() })
const manifestSchema = z.object({ layers: z.array(layerSchema) })
type Layer = z.infer<typeof layerSchema>

/** Host, namespace, model and tag. */
const DEPTH = 4
const OWN_HOST = 'registry.ollama.ai'
const OWN_NAMESPACE = 'library'
const LONGEST_LICENSE = 60

/** Ollama: manifests/HOST/NAMESPACE/MODEL/TAG name blobs by their SHA-256; the one of kind `model` is a GGUF without an ending. */
export const ollama: ModelStore = {
  id: 'ollama',
  title: 'Ollama',
  folders: ({ env, home, platform, root }) => {
    const name = env['OLLAMA_MODELS']
    // The service of a Linux installation is a user of its own.
    const service =
      platform === 'linux'
        ? [join(root, 'usr', 'share', 'ollama', '.ollama', 'models'), join(root, 'var', 'lib', 'ollama')]
        : []
    const usual = [join(home, '.ollama', 'models'), ...service]
    return name === undefined || name === '' ? usual : [...new Set([name, ...usual])]
  },
  async read(folder, signal) {
    const models: StoredModel[] = []
    const rest: LeftOutFile[] = []
    const visit = async (path: string, names: readonly string[]): Promise<void> => {
      signal?.throwIfAborted()
      if (names.length === DEPTH) {
        const read = await readManifest(folder, path, nameOf(names))
        if ('why' in read) rest.push(read)
        else models.push(read)
        return
      }
      const entries = await readdir(path).catch((error: unknown) => {
        if (errnoOf(error) !== 'ENOENT') rest.push({ path, why: unreadable(error) })
        return []
      })
      for (const name of entries.sort())
        if (!name.startsWith('.')) await visit(join(path, name), [...names, name])
    }
    await visit(join(folder, 'manifests'), [])
    return { models, left: rest }
  },
}

/** `qwen3:4b`, `someone/model:tag`, `hf.co/owner/repo:quant`. */
function nameOf([host = '', namespace = '', model = '', tag = '']: readonly string[]): string {
  const short = `${model}:${tag}`
  if (host !== OWN_HOST) return `${host}/${namespace}/${short}`
  return namespace === OWN_NAMESPACE ? short : `${namespace}/${short}`
}

async function readManifest(folder: string, path: string, name: string): Promise<StoredModel | LeftOutFile> {
  let layers: readonly Layer[]
  try {
    layers = manifestSchema.parse(await readForeignText(await readFile(path, 'utf8'), path, 'json')).layers
  } catch (error) {
    const why =
      error instanceof LoamError || errnoOf(error) === undefined
        ? 'It is not a manifest as Ollama writes it.'
        : unreadable(error)
    return { path, why }
  }
  const of = (kind: string): readonly Layer[] => layers.filter(({ mediaType }) => mediaType === LAYER + kind)
  const weights = of('model')
  const [first] = weights
  if (!first) {
    const tensors = of('tensor').length
    return {
      path,
      why:
        tensors > 0
          ? `${name} keeps its weights as ${tensors} tensors of Ollama's own kind, not as a GGUF.`
          : `${name} holds no weights: it is worked on elsewhere, or stands on another model.`,
    }
  }
  if (weights.length > 1)
    return { path, why: `${name} has its weights in ${weights.length} blobs; only whole ones can be read.` }
  const blob = await findBlob(folder, first.digest)
  if (blob === null)
    return { path, why: `The weights of ${name} are missing: there is no blob ${first.digest}.` }
  const adapters = of('adapter').length
  const problem =
    blob.size === first.size
      ? null
      : `Its blob has ${blob.size} bytes and should have ${first.size}: the download was not finished or the file is damaged.`
  return {
    path: blob.path,
    parts: [blob.path],
    name,
    license: await firstLine(folder, of('license')[0]),
    ...(problem !== null && { problem }),
    ...(problem === null &&
      adapters > 0 && {
        problem: 'It is made of a model and an adapter (LoRA); Loam would leave the adapter out.',
      }),
  }
}

/** Blobs are called sha256-HEX; older versions wrote sha256:HEX. */
async function findBlob(folder: string, digest: string): Promise<{ path: string; size: number } | null> {
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) return null
  for (const name of [digest.replace(':', '-'), digest]) {
    const path = join(folder, 'blobs', name)
    const stats = await stat(path).catch(() => null)
    if (stats?.isFile()) return { path, size: stats.size }
  }
  return null
}

/** What a licence is called: the first words of its text. */
async function firstLine(folder: string, layer: Layer | undefined): Promise<string | null> {
  const blob = layer && (await findBlob(folder, layer.digest))
  if (!blob) return null
  const file = await open(blob.path).catch(() => null)
  if (!file) return null
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
    const line = buffer
      .toString('utf8', 0, bytesRead)
      .split('\n')
      .map((one) => one.trim())
      .find((one) => one !== '')
    return line === undefined ? null : line.slice(0, LONGEST_LICENSE)
  } catch {
    return null
  } finally {
    await file.close()
  }
}
