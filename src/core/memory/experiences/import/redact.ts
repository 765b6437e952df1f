/** How many secrets of each kind were taken out. */
export type Redactions = Readonly<Record<string, number>>

interface Rule {
  readonly kind: string
  readonly pattern: RegExp
  /** Text put in its place; `$1` is what stands before a value and stays. */
  readonly replacement: string
}

const gone = (kind: string): string => `[${kind} removed]`

/** Order matters: the particular before the general. */
const RULES: readonly Rule[] = [
  {
    kind: 'private key',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    replacement: gone('private key'),
  },
  {
    kind: 'access key',
    pattern:
      /\b(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|hf_[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,}|xox[abprs]-[A-Za-z0-9-]{10,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,})/g,
    replacement: gone('access key'),
  },
  {
    kind: 'token',
    pattern: /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
    replacement: gone('token'),
  },
  {
    kind: 'token',
    pattern: /(\b[Bb]earer\s+)(?!\[)[A-Za-z0-9._~+/=-]{12,}/g,
    replacement: `$1${gone('token')}`,
  },
  {
    kind: 'password',
    pattern: /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"']+:)(?!\[)[^\s/@"']+(?=@)/gi,
    replacement: `$1${gone('password')}`,
  },
  {
    kind: 'credential',
    pattern:
      /((?:api[_-]?key|secret(?:[_-]?key)?|access[_-]?token|auth[_-]?token|client[_-]?secret|password|passwd)\\?["']?\s*[:=]\s*\\?["']?)(?![[\s])[^\s"'\\,;&}]{6,}/gi,
    replacement: `$1${gone('credential')}`,
  },
  { kind: 'home path', pattern: /(?<![\w.])(?:\/home|\/Users)\/[^/\s"'\\:]+/g, replacement: '~' },
  { kind: 'home path', pattern: /\b[A-Za-z]:\\{1,2}Users\\{1,2}[^\\\s"':]+/g, replacement: '~' },
]

/** Takes keys, tokens, passwords and home folders out of every text within a value. Other text stays as it is. */
export function redactAll<T>(given: T): { readonly value: T; readonly redactions: Redactions } {
  const counts: Record<string, number> = {}
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value, counts)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner)]))
    return value
  }
  return { value: walk(given) as T, redactions: counts }
}

function redactText(text: string, counts: Record<string, number>): string {
  let clean = text
  for (const { kind, pattern, replacement } of RULES) {
    const found = clean.match(pattern)?.length ?? 0
    if (found === 0) continue
    counts[kind] = (counts[kind] ?? 0) + found
    clean = clean.replace(pattern, replacement)
  }
  return clean
}

export function addRedactions(a: Redactions, b: Redactions): Redactions {
  const sum: Record<string, number> = { ...a }
  for (const [kind, count] of Object.entries(b)) sum[kind] = (sum[kind] ?? 0) + count
  return sum
}
