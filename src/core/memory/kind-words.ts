import { LoamError } from '../../shared/errors'
import { MEMORY_KINDS } from '.'
import type { MemoryKindModule } from './items/kind'

const KINDS: readonly MemoryKindModule[] = MEMORY_KINDS

/** Attempts and rubrics stand beside the kinds of memory. */
export const ATTEMPTS = 'attempts'
export const RUBRICS = 'rubrics'

/** Words for what stands in a file beside items: one of it, by several. */
const BESIDE: Readonly<Record<string, string>> = { [ATTEMPTS]: 'attempt', [RUBRICS]: 'rubric' }

/**
 * The kinds that leave a memory in a file, in the order of the list: those named, where `attempts` and `rubrics` are no kinds; null: all but parts
 * of a person's own files, which leave only where somebody names them.
 *
 * @throws LoamError `BAD_INPUT` for a kind that there is not
 */
export function leavingKinds(names: readonly string[] | null = null): readonly MemoryKindModule[] {
  const unknown = names?.find((name) => !(name in BESIDE) && !KINDS.some(({ info }) => info.id === name))
  if (unknown !== undefined)
    throw new LoamError('BAD_INPUT', `There is no kind of memory called "${unknown}".`, {
      suggestion: `The kinds are ${KINDS.map(({ info }) => info.id).join(', ')}.`,
    })
  return KINDS.filter(({ info }) => names?.includes(info.id) ?? info.ownFiles !== true)
}

/** "cases, lessons and notes": what people call several items of each kind. */
export function kindWords(kinds: readonly Pick<MemoryKindModule, 'info'>[]): string {
  const words = kinds.map(({ info }) => info.titleMany.toLowerCase())
  return words.length < 2 ? (words[0] ?? 'nothing') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** What is said of kinds that leave only where they are named. */
export const OWN_FILES_WORDS = `Of ${kindWords(KINDS.filter(({ info }) => info.ownFiles))}, which are parts of your own files, only what you tick.`

/** "2 attempts, 1 case": what is in a file. Counts are by kind, or by what people call several items of a kind. */
export function countWords(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts).map(([name, count]) => {
    const info = KINDS.find(
      (kind) => kind.info.id === name || kind.info.titleMany.toLowerCase() === name,
    )?.info
    const one = info?.title.toLowerCase() ?? BESIDE[name] ?? name
    return `${count} ${count === 1 ? one : (info?.titleMany.toLowerCase() ?? name)}`
  })
  return words.length === 0 ? 'nothing' : words.join(', ')
}
