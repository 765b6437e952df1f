import { getRemoval, instead, type RedactionRule } from './redaction-rule'

/** Share of neighbours of other kinds (small, large, digit) from which a run of characters reads as drawn by chance; in names and words it is about a third at most. */
const LEAST_CHANGES = 0.4

/** Ids that services give to what they tell: not secret, and what belongs together is told by them. */
const IDS =
  /^(?:chatcmpl|cmpl|toolu|srvtoolu|call|msg|resp|req|run|step|thread|asst|file|fc|rs|item|evt|sess|sha\d{3})[_-]/

/** Whether a run of letters and digits reads as drawn by chance: no word, no name in code, no number. */
function isDrawn(text: string): boolean {
  const letters = text.replaceAll(/[^A-Za-z0-9]/g, '')
  const kinds = Array.from(letters, (one) => (/[a-z]/.test(one) ? 'a' : /[A-Z]/.test(one) ? 'A' : '1'))
  if (['a', 'A', '1'].some((kind) => kinds.filter((one) => one === kind).length < 2)) return false
  const changes = kinds.filter((kind, i) => i > 0 && kind !== kinds[i - 1]).length
  return changes >= LEAST_CHANGES * (letters.length - 1)
}

/** Whether a value has a digit and a letter, and is no place in the file system, no reference and nothing taken out already. */
const isMixed = (text: string): boolean => /^[^[<$/]/.test(text) && /\d/.test(text) && /[a-z]/i.test(text)

const RUN = /[A-Za-z0-9+_-]{12,}={0,2}/g
/** What a service puts before its own keys. */
const MARK = /^[a-z][a-z0-9]{1,11}[_-](?:(?:live|test|prod|dev|pat|api|key|[sp]k|secret|token)[_-])?/

/** Takes out the runs that read as drawn by chance, of at least so many characters. */
const drawnIn =
  (least: number) =>
  (match: string): string | null => {
    const clean = match.replace(RUN, (run) =>
      run.length >= least && !IDS.test(run) && isDrawn(run) ? getRemoval('access key') : run,
    )
    return clean === match ? null : clean
  }

/** Takes out what a service's mark stands before. */
function marked(match: string): string | null {
  const [mark = ''] = MARK.exec(match) ?? []
  const run = match.slice(mark.length)
  const isKey = mark !== '' && run.length >= 28 && !/[_-]/.test(run) && !IDS.test(match) && isDrawn(run)
  return isKey ? mark + getRemoval('access key') : null
}

const ifMixed = (match: string, group: string): string | null =>
  isMixed(match.slice(group.length)) ? group + getRemoval('password') : null

/** Secrets of any family, told by the word before them and by how they read. What they read like is judged in code, so that the patterns stay simple. */
export const DRAWN_SECRETS: readonly RedactionRule[] = [
  {
    kind: 'access key',
    // Behind a word for a secret on its line.
    pattern:
      /(?:key|token|secret|pass|pwd|credential|auth|signature|licen[cs]e|webhook|\bx-)(?![a-z]{0,5} removed)[^\r\n[]{1,60}[A-Za-z0-9+_=-]{0,400}/gi,
    replace: drawnIn(12),
  },
  {
    kind: 'access key',
    // Behind an option of a command.
    pattern: /[ \t]--?[a-z][a-z-]{0,20}[ \t=]["']?[A-Za-z0-9+_-]{20,400}={0,2}/g,
    replace: drawnIn(20),
  },
  {
    kind: 'access key',
    pattern: /(?<![A-Za-z0-9_-])[a-z][a-z0-9]{1,11}[_-][A-Za-z0-9_-]{28,400}(?![A-Za-z0-9_-])/g,
    replace: marked,
  },
  ...[
    // Digits and small letters up to f are sums and ids elsewhere: they have to stand right behind such a name.
    /((?:key|token|secret|pass|pwd|credential|appid|secret_key_base|\bsession)["']?[ \t]{0,3}[:=][ \t]{0,3}["']?)(?!\[)[a-f0-9]{32,}(?![A-Za-z0-9])/gi,
    // A secret of one-time passwords; the logins of a cluster.
    /(\bsecret\b[^\r\n[]{0,40}[:= ])[A-Z2-7]{32,}(?![A-Za-z0-9])/g,
    /(dockerconfigjson["']?: ["']?)(?!\[)[A-Za-z0-9+/=]{20,}/g,
    /(\bpat-[a-z]{2,4}\d-)[a-f0-9-]{36}/g,
    // A name of an address without a password, and a last part of one that takes what is sent to it.
    /(?<=[a-z]:\/\/)[A-Za-z0-9_-]{20,100}(?=@)/g,
    /(\/(?:input|ingest|hooks?|webhooks?)\/)(?!\[)[A-Za-z0-9_-]{20,}/g,
  ].map((pattern): RedactionRule => ({ kind: 'access key', pattern, replace: instead('access key') })),
  ...[
    /(pwd?["']?(?: ?[:=] ?| )["']?)[^\s"',;()]{8,200}/g,
    /(\bpass(?:word|phrase|code)['’]s ["'`]?)[^\s"'`,;]{6,200}/gi,
    /(\bpass(?:word|phrase|code) (?:for|of)\b[^\r\n:[]{1,60}:[ \t]{1,3})[^\s"'`,;:/]{8,}/gi,
    // .pgpass.
    /((?:^|\n)[A-Za-z0-9.*_-]{1,100}:(?:\d{2,5}|\*):[^\s:]{1,60}:[^\s:]{1,60}:)[^\s:"']{8,}(?=\s|$)/g,
  ].map((pattern): RedactionRule => ({ kind: 'password', pattern, replace: ifMixed })),
  ...[
    /(\b(?:PWD|Pwd|Password)=\{)(?!\[)[^}\r\n]{4,}/g,
    /(\bpass[_-]phrase["']?[ \t]{0,3}[:=][ \t]{0,3}["']?)(?!\[)[^\s"']{6,}/gi,
    /([A-Z]_AUTH=["']?)(?![[$<])[^\s"']{8,}/g,
    // The passwords of mail servers, a profile of OpenVPN.
    /(:\d{2,5}[ \t]{1,8}[^\s:@]{1,60}@[^\s:@]{1,100}:)(?!\[)[^\s:]{6,}/g,
    /(<auth-user-pass>\s{1,8}\S{1,100}\s{1,8})(?!\[)\S{4,}/g,
  ].map((pattern): RedactionRule => ({ kind: 'password', pattern, replace: instead('password') })),
]
