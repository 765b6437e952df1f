import { LoamError } from '../../shared/errors'
import { estimateTraining, type ModelSizes, type TransposeMode } from './estimate'
import { chooseLengths } from './lengths'

/** Most lengths graphs are kept for; each takes memory of its own. */
export const MOST_LENGTHS = 4

/**
 * Throws `TRAINER_MEMORY` with advice when training on sequences of these lengths (tokens, the soft prompt's among them) needs
 * more than `freeBytes`.
 */
export function requireItem(
  sizes: ModelSizes,
  lengths: readonly number[],
  mode: TransposeMode | 'auto',
  freeBytes: number,
): void {
  const needs = (tokens: readonly number[]) => {
    const { workBytes, weightBytes } = estimateTraining(
      sizes,
      chooseLengths(tokens, MOST_LENGTHS),
      mode,
      freeBytes,
    )
    return workBytes + weightBytes
  }
  const neededCount = needs(lengths)
  if (neededCount <= freeBytes) return
  let fits = Math.max(...lengths)
  while (fits > 32 && needs([fits]) > freeBytes) fits = Math.floor(fits * 0.9)
  throw new LoamError(
    'TRAINER_MEMORY',
    `Training needs about ${gibibytes(neededCount)}; ${gibibytes(freeBytes)} is free.`,
    {
      suggestion:
        fits > 32
          ? `Attempts of up to ${fits} tokens would fit: show the student fewer attempts. Or close other programs, or take a smaller model.`
          : 'Take a smaller model, or one with fewer bits per weight.',
    },
  )
}

/** Rows of a pack, largest first. More than the first gains little: attention grows with their square. */
const PACK_ROWS = [3072, 2048, 1024, 512]

/** Most rows of a pack of several samples, so that it fits into `freeBytes` beside `longest`, the longest one alone. */
export function packRows(
  sizes: ModelSizes,
  longest: number,
  mode: TransposeMode | 'auto',
  freeBytes: number,
): number {
  const fits = (rows: number) => {
    const { workBytes, weightBytes } = estimateTraining(sizes, [longest, rows, rows, rows], mode, freeBytes)
    return workBytes + weightBytes <= freeBytes
  }
  return PACK_ROWS.find((rows) => rows > longest && fits(rows)) ?? longest
}

const gibibytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`
