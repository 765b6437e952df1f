import type { ItemHead, MemoryKindModule, MemorySource, ItemText } from './kind'
import type { ItemFeatures, ItemOrigin } from './item-features'
import { recallsOf } from './recalls'

/** Characters of a token where no prompt has measured an item yet: rather few, so that an estimate is rather too high. */
const CHARACTERS_PER_TOKEN = 3.5

/** What kinds say of their items for `features` beside head and text. */
export interface FeatureParts {
  /** Where an item is from. */
  origin(source: MemorySource, head: ItemHead, text: ItemText): ItemOrigin | Promise<ItemOrigin>
  /** What of it is compared with a task. Default: its title. */
  key?(text: ItemText): string
}

/**
 * `features` of a kind (`MemoryKindModule.features`), from its own head, text and recalls. Null for an item there is not.
 */
export async function featuresOf(
  kind: Pick<MemoryKindModule, 'info' | 'head' | 'read' | 'recallIds'>,
  source: MemorySource,
  id: string,
  parts: FeatureParts,
): Promise<ItemFeatures | null> {
  const head = await kind.head(source, id)
  const text = await kind.read(source, id)
  if (!head || !text) return null
  const { recalled, judged, helped, lastAt, tokens } = recallsOf(
    source.state.recalls,
    kind.info.id,
    kind.recallIds?.(source, id) ?? [id],
  )
  return {
    kind: kind.info.id,
    id,
    environment: head.environment,
    createdAt: head.createdAt,
    editedAt: head.editedAt,
    live: head.gone === null && head.mark !== 'muted',
    pinned: head.mark === 'pinned',
    key: parts.key?.(text) ?? text.title,
    text: text.text,
    reward: head.reward === 0 || head.reward === 1 ? head.reward : null,
    origin: await parts.origin(source, head, text),
    ...{ recalled, judged, helped, lastAt },
    tokens: tokens ?? Math.ceil(text.text.length / CHARACTERS_PER_TOKEN),
    tokensMeasured: tokens !== null,
  }
}

/** Runs of programs outside are called so, with the program's name behind it. */
const SHARED = 'shared-'

/** The run that a program's attempts count as. */
export const sharedRun = (client: string): string => `${SHARED}${client}`

/** Whether a run's attempts are a program's from outside. */
export const isFromProgram = (runId: string): boolean => runId.startsWith(SHARED)

/** The origin of what an attempt of a run taught: of this memory, of a program outside, or of neither. */
export function originOfAttempt(
  { state }: MemorySource,
  runId: string,
  trajectoryId: string | undefined,
): ItemOrigin {
  if (isFromProgram(runId)) return { from: 'program', by: runId.slice(SHARED.length) }
  const isKnown = trajectoryId !== undefined && state.trajectories.has(trajectoryId)
  return { from: isKnown ? 'attempt' : 'elsewhere', by: null }
}
