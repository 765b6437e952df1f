/** Writes the bundled demo streams from their seeds: `npx tsx scripts/make-streams.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { GENERATORS } from '../src/core/tasks/generators'

for (const { fileName, text } of GENERATORS.flatMap((generator) => generator.bundled())) {
  const file = new URL(`../resources/streams/${fileName}`, import.meta.url)
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, text)
}
