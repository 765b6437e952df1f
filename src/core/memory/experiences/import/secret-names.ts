/** What lies below these names is a secret, however it reads. */
const ALWAYS =
  /(?:^|[_.-])(?:api_?key|secret(?:_?access)?(?:_?key)?|(?:access|auth|refresh|session)_?token|(?:private|secret|encryption|signing)_?key|client_?secret|passwords?|passwd|passphrase)$/

/** Below these only what reads as one: no words, and a digit in it. */
const OFTEN =
  /(?:^|[_.-])(?:pass|pwd|pw|[a-z]{1,20}token|token|(?:api|x)_?[a-z_]{0,20}key|credentials?|authorization|(?:set_)?cookie|(?:db|user|root|admin)pass(?:word)?)$/

/** Secrets are at least this long. */
const LEAST = 6
const LONGEST_NAME = 100
const LIKE_SECRET =
  /^(?![/~.$<[])(?:(?:basic|bearer|token) )?(?=[^\s\d]{0,200}\d)[^\s]{8,}(?:; [^\s=]{1,60}=\S{0,400}){0,20}$/i

/** `dbPassword`, `DB-PASSWORD` and `--db-password` as `db_password`. */
const plain = (name: string): string =>
  name
    .replace(/^--?/, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()

/** How much a name tells of its value. */
type Weight = 'always' | 'often' | 'never'

/** Of names met lately: the same few come again and again. */
const weights = new Map<string, Weight>()
const MOST_NAMES = 1000

function weightOf(name: string): Weight {
  const before = weights.get(name)
  if (before !== undefined) return before
  const word = plain(name)
  const weight = ALWAYS.test(word) ? 'always' : OFTEN.test(word) ? 'often' : 'never'
  if (weights.size === MOST_NAMES) weights.clear()
  weights.set(name, weight)
  return weight
}

/** Whether a value is a secret because of the name that it has: of a field, of a setting or of an option of a command. */
export function isSecretByName(name: string, value: unknown): boolean {
  if (name.length > LONGEST_NAME) return false
  const weight = weightOf(name)
  if (weight === 'never') return false
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text.length < LEAST || text.startsWith('[')) return false
  return weight === 'always' || LIKE_SECRET.test(text)
}
