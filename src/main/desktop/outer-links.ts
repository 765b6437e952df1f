import type { BrowserWindow, MessageBoxOptions } from 'electron'

/** What is needed of Electron to open a link elsewhere. */
export interface LinkOpening {
  readonly ask: (options: MessageBoxOptions) => Promise<{ readonly response: number }>
  readonly openExternal: (url: string) => Promise<void>
  readonly copy: (text: string) => void
}

const ANSWERS = ['Cancel', 'Copy the Address', 'Open in the Browser'] as const

/** Longest address that is opened, in characters: it has to be shown whole. */
const LONGEST = 2000

/** An address that may be opened in the person's browser, as it is shown; null for any other. */
export function outerAddress(link: string): string | null {
  if (!URL.canParse(link)) return null
  const url = new URL(link)
  // Names and passwords before a host make it look like another one.
  const isPlain = url.protocol === 'https:' && url.username === '' && url.password === ''
  return isPlain && url.href.length <= LONGEST ? url.href : null
}

/**
 * Opens links of the page in the person's browser: https alone, after the whole address was shown and agreed to, one question at a time.
 * Anything else stays shut, and nothing is said.
 */
export function createLinkOpener({ ask, openExternal, copy }: LinkOpening) {
  let isAsking = false
  return async (link: string): Promise<void> => {
    const address = outerAddress(link)
    if (address === null || isAsking) return
    isAsking = true
    try {
      const { response } = await ask({
        type: 'question',
        title: 'Open this link?',
        message: `Open ${new URL(address).host} in your browser?`,
        detail: `${address}\n\nIt leaves Loam: the browser contacts that place.`,
        buttons: [...ANSWERS],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      })
      if (response === 1) copy(address)
      if (response === 2) await openExternal(address)
    } finally {
      isAsking = false
    }
  }
}

/** A person's question over the window, where there is one. */
export const askOver =
  (
    dialog: {
      showMessageBox(window: BrowserWindow, options: MessageBoxOptions): Promise<{ response: number }>
      showMessageBox(options: MessageBoxOptions): Promise<{ response: number }>
    },
    window: () => BrowserWindow | null,
  ) =>
  (options: MessageBoxOptions): Promise<{ response: number }> => {
    const over = window()
    return over ? dialog.showMessageBox(over, options) : dialog.showMessageBox(options)
  }
