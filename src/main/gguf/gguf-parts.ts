const PART = /-(\d{5})-of-(\d{5})\.gguf$/i
/** More parts than any model has: a name alone must not make for more work. */
const MOST_PARTS = 1000

/** The files of a model of which one is given, in order: all parts where its name says that it is one, else itself alone. */
export function partsOf(path: string): readonly string[] {
  const [end, , total] = PART.exec(path) ?? []
  if (end === undefined || total === undefined) return [path]
  const base = path.slice(0, -end.length)
  const count = Math.min(Math.max(Number(total), 1), MOST_PARTS)
  return Array.from({ length: count }, (_, i) => `${base}-${String(i + 1).padStart(5, '0')}-of-${total}.gguf`)
}
