import assert from 'node:assert/strict'

/** A rule that every module of a seam keeps; what it throws says how it is broken. */
export interface Check {
  readonly name: string
  run(): void | Promise<void>
}

export const check = (name: string, run: Check['run']): Check => ({ name, run })

/** Words that a person reads: there, and not blank. */
export function saysSomething(words: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(words)) assert.notEqual(text.trim(), '', `"${name}" is empty`)
}
