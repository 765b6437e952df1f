import { z } from 'zod'

/** Keys of a shortcut that works everywhere: one or more of the keys to hold, then one that is pressed. */
const SHORTCUT =
  /^(?:(?:CommandOrControl|Command|Control|Ctrl|Alt|Option|Shift|Super)\+){1,4}(?:[A-Z0-9]|F[1-9]|F1[0-9]|F2[0-4]|Space|Insert|Home|End|PageUp|PageDown)$/

/** What the desktop window does beyond its page; all of it is off until a person turns it on. */
export const desktopSettingsSchema = z.object({
  /** A sign beside the clock; closing the window then leaves Loam at work. */
  tray: z.boolean().default(false),
  /** Keys that bring up the small window of a quick ask from any program, as Electron writes them; null for none. */
  quickAsk: z.string().regex(SHORTCUT, 'For example Control+Shift+Space').nullable().default(null),
  /** Whether spelling is checked. Outside macOS Chromium then fetches a word list. */
  spelling: z.boolean().default(false),
  /** Whether it is asked at each start if there is a newer Loam, while the network is on. Nothing is fetched by that. */
  lookForUpdates: z.boolean().default(false),
})
export type DesktopSettings = z.infer<typeof desktopSettingsSchema>

/** What a `loam://` link asks for. Nothing of it happens before a person agrees. */
export const loamLinkSchema = z.discriminatedUnion('kind', [
  /** To look at a screen, and perhaps at one record of it: the part of the page's address behind `#`. */
  z.object({ kind: z.literal('place'), hash: z.string() }),
  /** To put words into the composer of a new ask. */
  z.object({ kind: z.literal('ask'), text: z.string() }),
  /** To preview a bundle of this machine. */
  z.object({ kind: z.literal('bundle'), path: z.string() }),
  /** Something else, which is not understood. */
  z.object({ kind: z.literal('refused') }),
])
export type LoamLink = z.infer<typeof loamLinkSchema>

/** How links begin that Loam opens. */
export const LINK_SCHEME = 'loam'

const LONGEST_LINK = 16_000
const LONGEST_TEXT = 4000

/** `loam://KIND`, what follows a slash, and parameters; unreserved characters and escapes only. */
const LINK = /^loam:\/\/(place|ask|bundle)(?:\/([\w.~%:,/-]*))?(?:\?([\w.~%:,/=&+!*'()-]*))?$/
const SCREEN = /^[a-z]{1,20}$/
const RECORD = /^[\w:.,-]{1,200}$/
const MEMORY = /^[\w-]{1,100}$/
/** A place on a disk of this machine: no share of another one, which would be asked for it. */
const BUNDLE_PATH = /^(?:\/(?!\/)|[A-Za-z]:[\\/](?![\\/])).*\.loam$/i
/** What cannot be seen, or turns around what is seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** Whether an argument of a start is meant as a link. */
export const isLoamLink = (text: string): boolean => /^loam:/i.test(text)

/** Reads a link; whatever is not exactly one that Loam writes is `refused`. Never throws. */
export function readLoamLink(link: string): LoamLink {
  const refusal: LoamLink = { kind: 'refused' }
  const match = link.length > LONGEST_LINK ? null : LINK.exec(link)
  if (!match) return refusal
  const [, kind, path = '', query = ''] = match
  try {
    const parameters = readParameters(query)
    const parts = path.split('/').map(decodeURIComponent)
    if (kind === 'place') return readPlace(parts, parameters) ?? refusal
    if (path !== '' || parameters.size !== 1) return refusal
    if (kind === 'ask') {
      const text = parameters.get('text') ?? ''
      const isPlain = !UNSEEN.test(text.replace(/[\n\t]/g, ' '))
      return text.trim() !== '' && text.length <= LONGEST_TEXT && isPlain ? { kind: 'ask', text } : refusal
    }
    const file = parameters.get('path') ?? ''
    const steps = file.split(/[\\/]/)
    const isPlace = BUNDLE_PATH.test(file) && !UNSEEN.test(file) && !steps.includes('..')
    return isPlace ? { kind: 'bundle', path: file } : refusal
  } catch {
    // Escapes that are no text.
    return refusal
  }
}

/** Parameters by name. Throws where one is named twice or has no value. */
function readParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const part of query === '' ? [] : query.split('&')) {
    const [name = '', value, ...more] = part.split('=')
    if (value === undefined || more.length > 0 || parameters.has(name)) throw new Error('no parameter')
    parameters.set(name, decodeURIComponent(value.replaceAll('+', ' ')))
  }
  return parameters
}

function readPlace(parts: readonly string[], parameters: Map<string, string>): LoamLink | null {
  const [screen = '', record, ...more] = parts
  const memory = parameters.get('memory')
  const isWhole =
    SCREEN.test(screen) &&
    more.length === 0 &&
    (record === undefined || RECORD.test(record)) &&
    parameters.size === (memory === undefined ? 0 : 1) &&
    (memory === undefined || MEMORY.test(memory))
  if (!isWhole) return null
  const path = record === undefined ? screen : `${screen}/${encodeURIComponent(record)}`
  return {
    kind: 'place',
    hash: `#/${path}${memory === undefined ? '' : `?memory=${encodeURIComponent(memory)}`}`,
  }
}

/** The link that leads to what the page shows: `hash` is the part of its address behind `#`. */
export const linkOfPlace = (hash: string): string => `${LINK_SCHEME}://place/${hash.replace(/^#\/?/, '')}`
