/** An event whose default can be prevented. */
export interface Preventable {
  defaultPrevented: boolean
  preventDefault(): void
}

export const preventable = <T extends object>(details?: T): Preventable & T =>
  Object.assign(
    {
      defaultPrevented: false,
      preventDefault() {
        this.defaultPrevented = true
      },
    },
    details,
  ) as Preventable & T

/** What the stand-in says to the test that started it. */
export type StandInNews =
  | { readonly kind: 'browser'; readonly endpoint: string }
  | { readonly kind: 'loaded' | 'shown' | 'hidden' | 'gone'; readonly window: number }
  | { readonly kind: 'engine'; readonly pid: number | undefined }
  | { readonly kind: 'error-box'; readonly title: string; readonly content: string }
  | { readonly kind: 'message-box'; readonly message: string; readonly detail: string }
  /** What the app had the system do: show a menu, a sign, a badge, print, open something elsewhere. */
  | { readonly kind: 'system'; readonly what: string; readonly words: unknown }
  | { readonly kind: 'second'; readonly more: unknown }
  | { readonly kind: 'quit-held-up' }
  | { readonly kind: 'exit'; readonly code: number }

/** What a test has the stand-in do. */
export type StandInOrder =
  | 'close-window'
  | 'quit'
  | 'end-page-process'
  | 'engine-error'
  | 'throw'
  | 'log-out'
  | 'press-shortcut'
  /** The item of the window's menu with this label. */
  | { readonly menu: string }
  /** The item of the sign's menu with this label. */
  | { readonly tray: string }
  /** A click with the other button, as the page would tell it. */
  | { readonly place: object }
  | { readonly openUrl: string }
  | { readonly openFile: string }

/** Tells the test, if there is one. */
export function tell(news: StandInNews): void {
  if (process.connected) process.send?.(news, () => undefined)
}
