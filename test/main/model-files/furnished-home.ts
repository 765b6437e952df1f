import { createHash } from 'node:crypto'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { buildGguf } from '../adapters/llama/gguf-fixture'
import { splitGguf } from './split-gguf'

export const DEMO = resolve(import.meta.dirname, '../../../models/loam-demo.gguf')
const LICENSE = 'Apache License\nVersion 2.0'
const tiny = (name: string, more: Record<string, string | number> = {}) =>
  buildGguf({
    metadata: { 'general.architecture': 'llama', 'general.name': name, 'general.file_type': 15, ...more },
    tensors: [{ name: 'w', shape: [8], type: 0 }],
  })
const projector = buildGguf({
  metadata: { 'general.architecture': 'clip', 'general.type': 'mmproj' },
  tensors: [{ name: 'v', shape: [8], type: 0 }],
})
const sha = (data: Buffer | string) => createHash('sha256').update(data).digest('hex')
const put = async (path: string, data: Buffer | string): Promise<string> => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, data)
  return path
}

/** A home as programs leave it behind. */
export async function furnish(home: string): Promise<void> {
  const ollama = join(home, '.ollama', 'models')
  const blob = async (data: Buffer | string): Promise<{ digest: string; size: number }> => {
    await put(join(ollama, 'blobs', `sha256-${sha(data)}`), data)
    return { digest: `sha256:${sha(data)}`, size: Buffer.byteLength(data) }
  }
  const layer = (kind: string, of: { digest: string; size: number }) => ({
    mediaType: `application/vnd.ollama.image.${kind}`,
    ...of,
  })
  const manifest = (name: string, ...layers: unknown[]) =>
    put(
      join(ollama, 'manifests', name),
      JSON.stringify({
        schemaVersion: 2,
        mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
        layers,
      }),
    )
  const own = 'registry.ollama.ai/library'
  const demo = await blob(await readFile(DEMO))
  await manifest(`${own}/loam/latest`, layer('model', demo), layer('license', await blob(LICENSE)))
  await manifest(`${own}/loam/1m`, layer('model', demo))
  await manifest(
    'hf.co/someone/Tiny-GGUF/Q4_K_M',
    layer('model', await blob(tiny('Tiny from the hub'))),
    layer('license', await blob(LICENSE)),
  )
  await manifest(`${own}/gone/1b`, layer('model', { digest: `sha256:${'0'.repeat(64)}`, size: 5 }))
  await manifest(`${own}/cloudy/latest`, layer('license', await blob('MIT')))
  await manifest(`${own}/cut/latest`, layer('model', { ...(await blob(tiny('Cut short'))), size: 999_999 }))
  await put(join(ollama, 'manifests', `${own}/broken/latest`), '<html>')

  const studio = join(home, 'elsewhere', 'lms')
  await put(join(home, '.lmstudio-home-pointer'), studio)
  const publisher = join(studio, 'models', 'someone', 'Big-GGUF')
  await mkdir(publisher, { recursive: true })
  await splitGguf(DEMO, join(publisher, 'Big-Q8_0'), 3)
  await put(join(publisher, 'mmproj-Big-f16.gguf'), projector)
  await put(join(publisher, 'Other-00001-of-00002.gguf'), tiny('Other', { 'split.count': 2 }))
  await put(join(publisher, 'downloading_Third.gguf.part'), 'x')

  const cache = join(home, '.cache', 'llama.cpp')
  await put(join(cache, 'ggml-org_tiny-GGUF_tiny-Q4_K_M.gguf'), tiny('Tiny'))
  await put(
    join(cache, 'manifest=ggml-org=tiny-GGUF=latest.json'),
    JSON.stringify({ ggufFile: { rfilename: 'tiny-Q4_K_M.gguf' } }),
  )
  await put(
    join(cache, 'manifest=ggml-org=away-GGUF=Q8_0.json'),
    JSON.stringify({ ggufFile: { rfilename: 'away.gguf' } }),
  )
  await put(join(cache, 'ggml-org_more.gguf.downloadInProgress'), 'x')

  const hub = join(home, '.cache', 'huggingface', 'hub', 'models--someone--Small-GGUF')
  await put(
    join(hub, 'blobs', 'aaaa'),
    tiny('Small', { 'llama.context_length': 4096, 'tokenizer.chat_template': 'x' }),
  )
  await put(join(hub, 'blobs', 'bbbb.incomplete'), 'x')
  const snapshot = join(hub, 'snapshots', '0123abc')
  await mkdir(snapshot, { recursive: true })
  await symlink('../../blobs/aaaa', join(snapshot, 'small-q4_k_m.gguf'))
  await symlink('../../blobs/missing', join(snapshot, 'small-q8_0.gguf'))
  const embedder = join(
    home,
    '.cache/huggingface/hub/models--someone--bge-small-gguf/snapshots/0/bge-q8.gguf',
  )
  await put(
    embedder,
    buildGguf({
      metadata: { 'general.architecture': 'bert', 'bert.embedding_length': 384, 'bert.context_length': 512 },
      tensors: [{ name: 'w', shape: [8], type: 0 }],
    }),
  )

  await put(join(home, '.local/share/nomic.ai/GPT4All', 'Four.Q4_0.gguf'), tiny('Four'))
  await put(join(home, '.local/share/nomic.ai/GPT4All', 'incomplete-Five.gguf'), 'x')

  const jan = join(home, '.local/share/Jan/data/llamacpp/models')
  await put(join(jan, 'someone', 'Jan-v1', 'model.gguf'), tiny('Jan v1'))
  await put(
    join(jan, 'someone', 'Jan-v1', 'model.yml'),
    'model_path: llamacpp/models/someone/Jan-v1/model.gguf\nname: Jan-v1\n',
  )
  await put(
    join(jan, 'imported', 'model.yml'),
    `model_path: ${await put(join(home, 'Downloads/own.gguf'), tiny('Own'))}\n`,
  )
  await put(join(jan, 'lost', 'model.yml'), 'model_path: llamacpp/models/lost/model.gguf\n')
}
