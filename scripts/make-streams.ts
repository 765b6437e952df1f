/** Writes the bundled demo streams from their seeds: `npx tsx scripts/make-streams.ts`. */
import { writeFileSync } from 'node:fs'
import { bundledStreams } from '../src/core/tasks/house-rules/bundled'

for (const { fileName, text } of bundledStreams()) {
  writeFileSync(new URL(`../resources/streams/${fileName}`, import.meta.url), text)
}
