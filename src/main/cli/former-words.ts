/** Commands of Loam 0.1, and what they are called now. */
const COMMANDS: Readonly<Record<string, string>> = {
  brew: 'guides',
  documents: 'files',
  connections: 'servers',
  encoders: 'embedders',
  tokens: 'keys',
  writes: 'proposals',
  consolidate: 'soft-prompts train',
}

/** Their verbs of then, after the word of today. */
const VERBS: Readonly<Record<string, string>> = { 'keys revoke': 'keys remove' }

/** Options of Loam 0.1, and what they are called now. */
const OPTIONS: Readonly<Record<string, string>> = { '--space': '--memory' }

/** A command line in the words of today, and a note for each that had another name. */
export interface CurrentWords {
  readonly argv: readonly string[]
  readonly notes: readonly string[]
}

/** Reads a command line of Loam 0.1 as one of today. Its first word is a command; options may stand anywhere, also as `--space=DIR`. */
export function currentWords(argv: readonly string[]): CurrentWords {
  const notes = new Set<string>()
  const current = argv.flatMap((word, index) => {
    const [option = '', ...value] = word.split('=')
    const name = index === 0 ? COMMANDS[word] : OPTIONS[option]
    if (name === undefined) return [word]
    notes.add(
      index === 0 ? `"loam ${word}" is called "loam ${name}" now.` : `"${option}" is called "${name}" now.`,
    )
    return index === 0 ? name.split(' ') : [[name, ...value].join('=')]
  })
  const verb = VERBS[current.slice(0, 2).join(' ')]
  if (verb === undefined) return { argv: current, notes: [...notes] }
  notes.add(`"loam ${argv.slice(0, 2).join(' ')}" is called "loam ${verb}" now.`)
  return { argv: [...verb.split(' '), ...current.slice(2)], notes: [...notes] }
}
