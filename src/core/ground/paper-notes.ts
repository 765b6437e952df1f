import type { z } from 'zod'
import type { methodPresetSchema } from '../../shared/domain/preset'

/** Where the code and the paper part, or that they do not. */
export interface PaperDifference {
  /** Equation, algorithm, section or table of the paper: `eq. 9`. */
  readonly at: string
  /** What is meant, in a few words: `values of past uses, weighted by the kernel`. */
  readonly what: string
  /** Files of this repository that do it, from its root; a test checks that they exist. */
  readonly where: readonly string[]
  /** What differs. Absent: nothing does. */
  readonly differs?: string
  /** Why. Present where something differs. */
  readonly why?: string
}

/** What a paper claims of its method, and what was seen here. */
export interface PaperClaim {
  /** Table, figure or section of the paper. */
  readonly at: string
  readonly claim: string
  /** The figure that was seen here, with what it was measured on. */
  readonly here?: string
  /** What was chosen on the same tasks, and what was not; present wherever `here` is. */
  readonly tuned?: string
  /** Why it, or part of it, has no figure here; present wherever `here` is not. */
  readonly notRun?: string
  /** The study of `resources/experiments` that measures it, without `.yaml`. */
  readonly study?: string
  /** Where the figures are written down, from the repository's root: `docs/results/...`. */
  readonly results?: string
}

/** A method held against its paper: read by the window, the command line and the generated pages in `docs/methods`. */
export interface PaperNotes {
  /** At least one of id `paper`. */
  readonly presets: readonly z.input<typeof methodPresetSchema>[]
  readonly differences: readonly PaperDifference[]
  /** Default: none. */
  readonly claims?: readonly PaperClaim[]
}

/** The preset that is as in the paper; the first of every method's. */
const PAPER_PRESET = 'paper'

type Preset = PaperNotes['presets'][number]

/** That preset: where the paper says so, and its settings. `way`: which of the paper's ways, where it has several. */
export const asInPaper = (
  source: string,
  settings: Preset['settings'],
  {
    way,
    ...more
  }: Omit<Partial<Preset>, 'id' | 'title' | 'source' | 'settings'> & { readonly way?: string } = {},
): Preset => ({
  id: PAPER_PRESET,
  title: way === undefined ? 'As in the paper' : `As in the paper, ${way}`,
  source,
  ...more,
  settings,
})
