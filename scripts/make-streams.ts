/** Writes the bundled demo streams from their seeds: `npx tsx scripts/make-streams.ts`. */
import { writeFileSync } from 'node:fs'
import { GENERATORS } from '../src/core/tasks/generators'

for (const { fileName, text } of GENERATORS.flatMap((generator) => generator.bundled())) {
  writeFileSync(new URL(`../resources/streams/${fileName}`, import.meta.url), text)
}
