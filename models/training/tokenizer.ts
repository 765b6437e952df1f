/** A small SentencePiece-style BPE: trained here, written into the GGUF, and encoded exactly as llama.cpp does. */

export const SPECIAL = ['<unk>', '<s>', '</s>', '<|system|>', '<|user|>', '<|assistant|>', '<|end|>'] as const
export const RESERVED = 32
const MEMORY = '\u2581'

export interface Tokenizer {
  readonly pieces: readonly string[]
  /** Higher merges first, as llama.cpp's `llama` tokenizer expects. */
  readonly scores: readonly number[]
  /** 1 normal, 2 unknown, 3 control, 6 byte. */
  readonly types: readonly number[]
}

/** Phrases may grow over fixed text only: never over values, separators or a memory that belongs to the next word. */
const joinable = (piece: string): boolean => !/[0-9'\n?,]|▁$/.test(piece)
/** Words, digits and marks of a text, as merges see them. */
export const words = (text: string): string[] =>
  text.replaceAll(' ', MEMORY).match(/\n|▁?\d|'|▁?[A-Za-z]+|▁?\?|▁|[^\n\d'▁A-Za-z]/gu) ?? []

function countPairs(
  sequences: readonly { symbols: string[]; count: number }[],
  across: boolean,
): [string, number] {
  const counts = new Map<string, number>()
  for (const { symbols, count } of sequences) {
    for (let i = 0; i + 1 < symbols.length; i++) {
      const left = symbols[i] as string
      const right = symbols[i + 1] as string
      if (across && !(joinable(left) && joinable(right))) continue
      const key = `${left}\u0000${right}`
      counts.set(key, (counts.get(key) ?? 0) + count)
    }
  }
  let best = ''
  let bestCount = 0
  for (const [key, count] of counts) {
    if (count > bestCount || (count === bestCount && key < best)) {
      best = key
      bestCount = count
    }
  }
  return [best, bestCount]
}

function mergeAll(sequences: readonly { symbols: string[] }[], left: string, right: string): void {
  for (const sequence of sequences) {
    const { symbols } = sequence
    if (!symbols.includes(left)) continue
    const merged: string[] = []
    for (let i = 0; i < symbols.length; i++) {
      if (symbols[i] === left && symbols[i + 1] === right) {
        merged.push(left + right)
        i++
      } else merged.push(symbols[i] as string)
    }
    sequence.symbols = merged
  }
}

/** Trains on lines of text: first inside words, then `phrases` merges across words of one line (never over digits, quotes, commas or line ends). */
export function trainTokenizer(text: string, size: number, phrases: number): Tokenizer {
  const wordCounts = new Map<string, number>()
  for (const word of words(text)) wordCounts.set(word, (wordCounts.get(word) ?? 0) + 1)
  const base = new Set<string>([MEMORY, '\n'])
  for (let code = 33; code < 127; code++) base.add(String.fromCharCode(code))
  const fixed = SPECIAL.length + 256 + base.size + RESERVED
  const merged: string[] = []
  const known = new Set(base)
  const grow = (sequences: { symbols: string[]; count: number }[], target: number, across: boolean): void => {
    while (merged.length < target) {
      const [pair, count] = countPairs(sequences, across)
      if (count < 20) break
      const [left, right] = pair.split('\u0000') as [string, string]
      if (!known.has(left + right)) {
        known.add(left + right)
        merged.push(left + right)
      }
      mergeAll(sequences, left, right)
    }
  }
  const wordSequences = [...wordCounts].map(([word, count]) => ({ symbols: [...word], count }))
  grow(wordSequences, size - fixed - phrases, false)
  const finished = new Map(wordSequences.map((sequence) => [sequence.symbols.join(''), sequence.symbols]))
  const lineCounts = new Map<string, number>()
  for (const line of text.split('\n').slice(0, 40_000)) lineCounts.set(line, (lineCounts.get(line) ?? 0) + 1)
  const lineSequences = [...lineCounts].map(([line, count]) => ({
    symbols: words(line).flatMap((word) => finished.get(word) ?? [...word]),
    count,
  }))
  grow(lineSequences, size - fixed, true)
  const pieces: string[] = [...SPECIAL]
  const types: number[] = SPECIAL.map((_, i) => (i === 0 ? 2 : 3))
  const scores: number[] = SPECIAL.map(() => 0)
  const add = (piece: string, type: number, score: number): void => {
    pieces.push(piece)
    types.push(type)
    scores.push(score)
  }
  for (let byte = 0; byte < 256; byte++) add(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`, 6, 0)
  merged.forEach((piece, rank) => add(piece, 1, -rank))
  for (const char of base) add(char, 1, -1_000_000)
  for (let i = 0; i < RESERVED; i++) add(`<|reserved_${i}|>`, 3, 0)
  return { pieces, scores, types }
}

/** An encoder for plain text (no special tokens), greedy by score like llama.cpp's SPM tokenizer. Caches per line. */
export function createEmbedder(tokenizer: Tokenizer): (text: string) => number[] {
  const ids = new Map<string, number>()
  tokenizer.pieces.forEach((piece, id) => {
    if (tokenizer.types[id] === 1) ids.set(piece, id)
  })
  const cache = new Map<string, number[]>()
  const encodeLine = (line: string): number[] => {
    const held = cache.get(line)
    if (held) return held
    let symbols = [...line.replaceAll(' ', MEMORY)]
    for (;;) {
      let best = -1
      let bestScore = -Infinity
      for (let i = 0; i + 1 < symbols.length; i++) {
        const id = ids.get((symbols[i] as string) + (symbols[i + 1] as string))
        const score = id === undefined ? -Infinity : (tokenizer.scores[id] as number)
        if (score > bestScore) {
          best = i
          bestScore = score
        }
      }
      if (best < 0) break
      symbols = [
        ...symbols.slice(0, best),
        (symbols[best] as string) + (symbols[best + 1] as string),
        ...symbols.slice(best + 2),
      ]
    }
    const encoded = symbols.flatMap((symbol) => {
      const id = ids.get(symbol)
      if (id !== undefined) return [id]
      return [...new TextEncoder().encode(symbol)].map((byte) => SPECIAL.length + byte)
    })
    if (cache.size < 200_000) cache.set(line, encoded)
    return encoded
  }
  const newline = ids.get('\n') as number
  return (text) =>
    text.split('\n').flatMap((line, i) => (i === 0 ? encodeLine(line) : [newline, ...encodeLine(line)]))
}

/**
 * The same tokenizer with each form as one piece: its parts are joined from the left by new merges that rank below all
 * others. Ids of the pieces there were do not change, so a model trained on them can grow.
 */
export function withWholeForms(tokenizer: Tokenizer, forms: readonly string[]): Tokenizer {
  const pieces = [...tokenizer.pieces]
  const scores = [...tokenizer.scores]
  const types = [...tokenizer.types]
  for (const form of forms) {
    const parts = createEmbedder({ pieces, scores, types })(form).map((id) => pieces[id] as string)
    for (let i = 2; i <= parts.length; i++) {
      const piece = parts.slice(0, i).join('')
      if (pieces.includes(piece)) continue
      pieces.push(piece)
      scores.push(-pieces.length)
      types.push(1)
    }
  }
  return { pieces, scores, types }
}
