import type { KeepDraft } from '../../shared/domain/ask'
import type { LoamClient } from '../client-type'

/** How long after the first key a draft is kept, in ms; keys in between go with it. */
const KEEP_AFTER_MS = 300

/** Has the host keep what is being written, so that neither a reload nor a restart loses it. */
export function createDraftKeeper(client: LoamClient) {
  const queue = new Map<string, KeepDraft>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    for (const draft of queue.values())
      // A host that cannot be reached has the draft once more with the next key.
      void client.asks.keepDraft(draft).catch(() => undefined)
    queue.clear()
  }
  return {
    /** Keeps it soon; files that are absent stay as they were. */
    keep(draft: KeepDraft): void {
      const before = queue.get(draft.key)
      queue.set(draft.key, { ...(before?.files && { files: before.files }), ...draft })
      timer ??= setTimeout(flush, KEEP_AFTER_MS)
    },
    flush,
  }
}
