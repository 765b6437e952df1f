import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listEmbedders } from '../../../src/main/embedders/open-embedder'
import { hubCaches } from '../../../src/main/model-files/stores/hugging-face'

it('an encoder in the hub’s cache is called by its model, not by its revision', async () => {
  const home = await mkdtemp(join(tmpdir(), 'loam-encoders-'))
  const folders = hubCaches({ home, env: {}, platform: 'linux', root: '/' })
  const put = async (repo: string) => {
    const snapshot = join(folders[0] ?? '', `models--${repo}`, 'snapshots', '0123abc')
    await mkdir(join(snapshot, 'onnx'), { recursive: true })
    await writeFile(join(snapshot, 'onnx', 'model.onnx'), 'x')
    await writeFile(join(snapshot, 'config.json'), '{"hidden_size":384}')
    await writeFile(join(snapshot, 'tokenizer.json'), '{}')
    return snapshot
  }
  await put('sentence-transformers--all-MiniLM-L6-v2')
  const other = await put('someone--bge-small-en-v1.5')
  const listed = await listEmbedders(folders)
  await rm(home, { recursive: true })
  expect(listed.find(({ id }) => id === 'all-MiniLM-L6-v2')).toMatchObject({
    available: true,
    dimension: 384,
  })
  expect(listed.find(({ id }) => id === other)).toMatchObject({ title: 'bge-small-en-v1.5', available: true })
})
