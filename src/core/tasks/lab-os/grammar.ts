import { publishedReader } from '../../ground/replies/read-reply'

/** What a reply says to do, in LifelongAgentBench's grammar for operating systems. */
export type LabOsAction =
  | { readonly kind: 'bash'; readonly script: string }
  | { readonly kind: 'finish' }
  | { readonly kind: 'invalid'; readonly reason: string }

/**
 * Reads a reply by the benchmark's own rules: the first `Act:` anywhere decides. `bash` takes every ```bash fence of the reply, an empty line
 * between them (none at all is an empty script). The reasons are the benchmark's own words.
 */
export function parseLabOsAction(reply: string): LabOsAction {
  const act = /Act:\s*(.+)/.exec(reply)?.[1]?.toLowerCase()
  if (act === undefined) {
    return {
      kind: 'invalid',
      reason: 'Cannot extract action from agent response. Pattern: "Act:\\s*(.+)"',
    }
  }
  if (act.startsWith('bash')) return { kind: 'bash', script: fences(reply).join('\n\n') }
  if (act.startsWith('finish')) return { kind: 'finish' }
  return { kind: 'invalid', reason: 'Invalid action string matched by pattern "Act:\\s*(.+)"' }
}

const FENCE = '```bash\n'

function fences(reply: string): string[] {
  const matches: string[] = []
  for (let from = reply.indexOf(FENCE); from >= 0;) {
    const end = reply.indexOf('\n```', from + FENCE.length)
    if (end < 0) break
    matches.push(reply.slice(from + FENCE.length, end))
    from = reply.indexOf(FENCE, end + 4)
  }
  return matches
}

/** The text form as a call; null when a reply is not in it. */
export const readPublished = publishedReader(parseLabOsAction, (action) =>
  action.kind === 'finish' ? { name: 'finish', args: {} } : { name: 'bash', args: { script: action.script } },
)
