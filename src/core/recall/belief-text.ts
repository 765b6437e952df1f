import { NO_ACTION } from './acts'
import { credence, type Refusal } from './refusals'

/** Letters of a complaint, and of a piece of an action, as they are shown. */
const LONGEST_COMPLAINT = 160
const LONGEST_PIECE = 60

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`
const listed = (pieces: readonly string[]): string =>
  pieces.map((piece) => `\`${cut(piece, LONGEST_PIECE)}\``).join(' and ')

/**
 * A complaint that tasks agree on, in the words of the tool, with what makes it come and what ran instead: what to do and what to leave, without
 * an action that somebody could read off. About sixty tokens at most.
 */
export function refusalText(belief: Refusal): string {
  const { tool, masked, cause, remedy, tasks } = belief
  const says = `"${cut(masked.replaceAll(/‹[^‹›]{0,40}›/g, '…'), LONGEST_COMPLAINT)}"`
  if (tool === NO_ACTION) return `A reply is refused that is in another form: ${says} (${tasks.size} tasks).`
  const isCaused = cause !== null && credence(belief) >= 0.5
  const why = isCaused ? ` where it holds ${listed(cause.words)}` : ''
  const out = remedy && remedy.removed.length > 0 ? ` without ${listed(remedy.removed)}` : ''
  const into = remedy && remedy.added.length > 0 ? ` with ${listed(remedy.added)}` : ''
  const fix = remedy ? ` It ran${out}${out !== '' && into !== '' ? ',' : ''}${into}.` : ''
  return `${tool === '' ? 'The tool' : tool} refuses${why}: ${says} (${tasks.size} tasks).${fix}`
}
