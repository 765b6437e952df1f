import { z } from 'zod'
import type { QuickMessage } from '../../shared/port-handshake'
import { QUICK_SIZES } from './window-options'

/** What is needed of the small window. */
export interface QuickFrame {
  isDestroyed(): boolean
  isVisible(): boolean
  isFocused(): boolean
  show(): void
  focus(): void
  hide(): void
  setSize(width: number, height: number): void
  destroy(): void
}

/** What a quick ask needs of the desktop. */
export interface QuickAskOptions {
  /** Opens the window, and shows it. */
  readonly make: () => Promise<QuickFrame>
  /** Opens the ask in the main window; null: a new one. */
  readonly openAsk: (askId: string | null) => void
}

const messageSchema: z.ZodType<QuickMessage> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hide') }),
  z.object({ kind: z.literal('size'), size: z.enum(['line', 'answer']) }),
  z.object({ kind: z.literal('open'), ask: z.string().nullable() }),
])

/** The small window in which something is asked from any program: made at the first press of the keys, hidden and shown from then on. */
export function createQuickAsk({ make, openAsk }: QuickAskOptions) {
  let frame: QuickFrame | null = null
  let opening: Promise<QuickFrame> | null = null
  /** The window, where it is still there: a person may have closed it. */
  const current = (): QuickFrame | null => (frame?.isDestroyed() === false ? frame : null)
  const open = async (): Promise<void> => {
    opening ??= make().finally(() => (opening = null))
    frame = await opening
    frame.focus()
  }
  return {
    /** Shows it, in front; hides it where it has the focus already. Rejects where it cannot be opened. */
    async toggle(): Promise<void> {
      const window = current()
      if (!window) return open()
      if (window.isVisible() && window.isFocused()) return window.hide()
      window.show()
      window.focus()
    },
    /** Does what its page says; anything else is left. */
    hear(message: unknown): void {
      const { data } = messageSchema.safeParse(message)
      const window = current()
      if (!data || !window) return
      if (data.kind === 'size') {
        const [width, height] = QUICK_SIZES[data.size]
        return window.setSize(width, height)
      }
      window.hide()
      if (data.kind === 'open') openAsk(data.ask)
    },
    /** Takes it away, so that it holds up no end. */
    close: (): void => current()?.destroy(),
  }
}
