import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRng } from '../../src/core/ground/random'
import { makeFolder, type Place } from '../bench/wear/folder'
import { killProxy, killToolServer } from '../bench/wear/program-kills'
import { TORTURE } from '../torture'
import { isBuilt } from './headless-process'

const canPlay = isBuilt && process.platform === 'linux'
const KILLS = Array.from({ length: TORTURE ? 20 : 1 }, (_, i) => i)

let folder: string
let umask = 0
let place: Place
beforeAll(async () => {
  if (!canPlay) return
  // As every entry of Loam: what it writes is for its owner alone.
  umask = process.umask(0o077)
  folder = await mkdtemp(join(tmpdir(), 'loam-killed-programs-'))
  place = await makeFolder(folder)
})
afterAll(async () => {
  if (!canPlay) return
  process.umask(umask)
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

test.skipIf(!canPlay).each(KILLS)(
  'a tool server that is killed at work, %i: the ask ends with words, the next one has its tool (needs a build)',
  async (i) => {
    expect(await killToolServer(place, createRng(`tool server ${i}`))).toMatchObject({ lost: [], wrong: [] })
  },
)

test.skipIf(!canPlay).each(KILLS)(
  'a proxy that is killed while it streams, %i: what it was told is kept once, and it answers again (needs a build)',
  async (i) => {
    expect(await killProxy(place, createRng(`proxy ${i}`))).toMatchObject({ lost: [], wrong: [] })
  },
)
