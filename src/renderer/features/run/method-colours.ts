/**
 * One colour per method, from Okabe and Ito's colour-blind-safe set (tuned for contrast in styles.css).
 * The same method has the same colour on every screen; methods added later take the free ones by name.
 */
const FIXED: Readonly<Record<string, string>> = {
  none: '--series-1',
  'case-bank': '--series-2',
  replay: '--series-3',
  evosc: '--series-5',
  awm: '--series-4',
  scm: '--series-6',
  amem: '--series-7',
}
const OTHERS = ['--series-8', '--series-9'] as const

/** The CSS variable of a method's colour. */
export function methodColour(method: string): string {
  const hash = [...method].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
  return FIXED[method] ?? OTHERS[hash % OTHERS.length] ?? OTHERS[0]
}
