import { createWorld } from './world'
import { generateMixedStream, generateWorldStream, openWorldSeed, type HouseRulesEntry } from './stream'

/** World numbers of house-rules-a, -b and -c. */
export const BUNDLED_WORLDS = { a: 7, b: 3, c: 13 } as const
const WORLD_TASKS = 120
const MIXED_TASKS = 240

const lines = (header: Readonly<Record<string, unknown>>, entries: readonly HouseRulesEntry[]): string =>
  [{ stream: { environment: 'lab-db', demo: true, ...header } }, ...entries]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')

/** The text of a stream file for one world, as `streams generate` writes it. */
function worldStreamText(world: number, tasks: number, id: string): string {
  const { name } = createWorld(openWorldSeed(world))
  return lines(
    {
      id,
      title: `House rules: ${name}`,
      description: `${tasks} database tasks at ${name}, whose hidden house rules an agent can only learn by remembering.`,
    },
    generateWorldStream(world, tasks),
  )
}

/** The bundled demo streams as files: three unseen worlds, and the three interleaved. */
export function bundledStreams(): { fileName: string; text: string }[] {
  const single = Object.entries(BUNDLED_WORLDS).map(([letter, world]) => ({
    fileName: `house-rules-${letter}.jsonl`,
    text: worldStreamText(world, WORLD_TASKS, `house-rules-${letter}`),
  }))
  const worlds = Object.values(BUNDLED_WORLDS)
  const names = worlds.map((world) => createWorld(openWorldSeed(world)).name)
  const mixed = lines(
    {
      id: 'house-rules-mix',
      title: 'House rules: three worlds mixed',
      description: `${MIXED_TASKS} tasks from ${names.join(', ')} in random order: what is right in one world is wrong in the next.`,
    },
    generateMixedStream(worlds, MIXED_TASKS),
  )
  return [...single, { fileName: 'house-rules-mix.jsonl', text: mixed }]
}
