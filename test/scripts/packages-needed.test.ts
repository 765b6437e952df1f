import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packagesNeeded } from '../../scripts/installer/stage.mjs'

const built = join(import.meta.dirname, '../../out/main')

// What an installer leaves out is missed when its program starts: every package that the built programs name must be among those packed.
test.skipIf(!existsSync(join(built, 'packages.json')))('what the built programs look for is packed', () => {
  const packed = new Set([...packagesNeeded().values()].map(({ name }) => name))
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.js'),
  )
  const wanted = new Set(
    files.flatMap((path) =>
      [
        ...readFileSync(join(built, path), 'utf8').matchAll(/^import (?:[^'"]* from )?"([^"./][^"]*)";$/gm),
      ].map(([, specifier = '']) =>
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
    ),
  )
  const outside = [...wanted].filter((name) => !isBuiltin(name) && name !== 'electron')
  expect(outside.length).toBeGreaterThan(8)
  expect(outside.filter((name) => !packed.has(name))).toEqual([])
  expect([...packed].filter((name) => /cuda|vulkan|onnxruntime-web/.test(name))).toEqual([])
})
