/** What a tool complained of. */
export interface Complaint {
  /** The one line of its answer that says what is wrong. */
  readonly line: string
  /** The line with what belongs to this one action taken out (names it shares with the action, numbers, paths), so that like complaints are alike. */
  readonly masked: string
  /** Who speaks, where that is a program of the action, and of what, where the action named it: both masked. */
  readonly names: { readonly by: string | null; readonly of: string | null }
  /** What it was told from: the source's own mark, a program's exit code, a check of the form, or the text alone. */
  readonly from: 'status' | 'exit' | 'schema' | 'text'
}

/** What the source itself says of an answer. Default: nothing. */
export interface AnswerMarks {
  /** Whether the source marks the answer as an error. */
  readonly isError?: boolean
  /** A program's exit code; null where there is none. */
  readonly exit?: number | null
  /** Whether the call was refused for its form. */
  readonly refused?: boolean
}

/** Names of what went wrong, as programs of many makers write them in any language. */
const NAMES =
  /^(?:[\w.]{0,80}(?:Error|Exception)\b|(?:error|fatal|err|E)\b ?[:!]|\(?\d{3,5}[,)]? \(|error\[|npm ERR)/i
/** `bash: line 1: foo: ...`: a program's name, then what it says. */
const BY_PROGRAM = /^(\/?[\w./-]{2,60}): (?:line \d{1,6}: )?\S/
/** What stands between the commands of a script, or before one. */
const BETWEEN = /[|&;()"\n]|\\n|\bsudo\b/
/** Words of trouble; they count only in a line that is short, opens the answer, or is marked. */
const TROUBLE =
  /\b(?:error|exception|not found|no such|doesn'?t exist|does not exist|can'?t|cannot|can not|unable|invalid|unknown|unexpected|undefined|denied|refused|rejected|not (?:allowed|available|permitted|enough)|unsupported|failed|failure|fatal|missing|must be|no module|timed out)\b|\b(?:fehler|ungültig|nicht (?:gefunden|erlaubt|möglich)|unbekannt|fehlgeschlagen|verweigert)\b|\b(?:erreur|invalide|introuvable|inconnu|impossible|échou|refusé)|\b(?:inválid|no (?:existe|encontrad|válid)|desconocid|denegad|falló)/i
/** Lines that lead to what is wrong, or that only frame it. */
const FRAMES =
  /^(?:traceback|during handling|the above exception|file "|at |\^+$|-+$|=+$|<[^<>]{0,200}>$|the output of the os|\[file: |the following|please )/i
/** Lines that say that something failed, and not what. */
const BARE = /^(?:=*\s?)(?:\d{1,6} failed|exit code \d{1,4}|returncode|failed|error|failures?)\W*$/i
/** A line of a program, shown by a listing. */
const CODE =
  /^(?:#|\/\/|\*|"""|if |for |def |class |return |import |from |raise |\d{1,6} ?[:|\t])|[=;{},(]\s*$/
/** A line of a file as a search shows it; a compiler's complaint begins alike. */
const LISTED = /^[\w./-]{1,120}:\d{1,6}:/
const COMPILER = /^[\w./-]{1,120}:\d{1,6}:(?:\d{1,6}:)? ?(?:fatal )?error\b/i
/** A whole sentence, in brackets or not. */
const SENTENCE = /^\[?(?:\S{1,80}\s{1,4}){4,60}\S{1,80}[.!:]\]?$/
/** What parts an action into pieces, and the letters of one that says that an answer is about it. */
const PIECES = /\n|\\n|["'`]/
const LEAST_PIECE = 16
const LONGEST_LINE = 600
/** An answer of at most so many letters is a message, not data. */
const MESSAGE = 400
/** Of a marked answer, so many of its last lines are read. */
const TAIL = 15

// An apostrophe in a word opens no quotation.
const QUOTES = /(?<!\p{L})'([^'\n]{1,80})'|"([^"\n]{1,80})"|`([^`\n]{1,80})`/gu
const LONG_QUOTE = 30
/** Codes by which servers name an error: they are the complaint, not numbers of this one action. */
const CODES = /^\(?\d{3,5}[,)]? \([0-9A-Z]{1,12}\)[:,]? ?/

/** A complaint without who speaks and of what, where its action named them: `ls: line 3: a.txt: No such file`. */
function namesIn(line: string, action: string): { readonly rest: string } & Complaint['names'] {
  const parts = line.split(': ').filter((part) => !/^line \d{1,6}$/.test(part))
  const by = parts.length > 1 && isProgram(parts[0], action) ? (parts[0] as string) : null
  if (by !== null) parts[0] = '‹…›'
  const middle = parts.length > 2 ? (parts.at(-2) as string) : ''
  const of = middle !== '' && !/\s/.test(middle) && action.includes(middle) ? middle : null
  if (of !== null) parts[parts.length - 2] = '‹…›'
  return { rest: parts.join(': '), by, of }
}

/** A complaint's line with what belongs to one action masked. */
function maskComplaint(line: string, action: string): string {
  const body = action.toLowerCase()
  const code = CODES.exec(line)?.[0] ?? ''
  const masked = line
    .slice(code.length)
    .replace(QUOTES, (quote, ...inner: (string | undefined)[]) => {
      const text = inner.slice(0, 3).find((one) => one !== undefined) ?? ''
      return text.length > LONG_QUOTE || body.includes(text.toLowerCase()) ? '‹…›' : quote
    })
    .replace(/(?:\/[\w.@+-]{1,80}){2,40}\/?/g, '‹…›')
    .replace(/\b[0-9a-f]{8,40}\b/gi, '‹#›')
    .replace(/\b\d+\b(?! \()/g, '#')
    .replace(/[\p{L}_][\p{L}\p{N}_.-]{3,80}/gu, (word) =>
      /[_.\d]/.test(word) && body.includes(word.toLowerCase()) ? '‹…›' : word,
    )
    .replace(/['"`]‹…›['"`]/g, '‹…›')
    .replace(/\s+/g, ' ')
    .trim()
  return `${code}${masked}`
}

const isCode = (line: string): boolean => CODE.test(line) || (LISTED.test(line) && !COMPILER.test(line))
const isNamed = (line: string): boolean => NAMES.test(line) || COMPILER.test(line)
const says = (line: string): boolean =>
  !BARE.test(line) && !isCode(line) && (isNamed(line) || TROUBLE.test(line))

const isProgram = (name: string | undefined, action: string): boolean =>
  name !== undefined && action.split(BETWEEN).some((part) => part.trim().split(/\s/, 1)[0] === name)
/** Whether a line is what a program of the action says under its own name, in whatever language: data do not begin so. */
const isByCommand = (line: string, action: string): boolean => isProgram(BY_PROGRAM.exec(line)?.[1], action)

/** Whether an answer shows a longer piece of the action. */
const showsAgain = (output: string, action: string): boolean =>
  action.split(PIECES).some((piece) => piece.trim().length >= LEAST_PIECE && output.includes(piece.trim()))

/** The line that says what is wrong in an answer; null where none does. */
function lineOf(output: string, action: string, isMarked: boolean): string | null {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length < LONGEST_LINE && !FRAMES.test(line))
  const [first] = lines
  if (first === undefined) return null
  if (/Traceback \(most recent call last\)/.test(output))
    return lines.findLast((line) => /^[\w.]{0,80}(?:Error|Exception)\b/.test(line)) ?? null
  const nameLine = lines.find((line) => isNamed(line) && says(line))
  if (isMarked) return nameLine ?? lines.slice(-TAIL).findLast((line) => says(line)) ?? lines.at(-1) ?? null
  // Unmarked: what opens the answer counts, or data that hold the word "error" would.
  const isMessage = output.length <= MESSAGE && !/^[[{(<]/.test(first)
  const opens = isNamed(first) && says(first)
  // An answer that opens with a sentence of trouble and then shows the action again is about the action, however long it is.
  const isAbout = SENTENCE.test(first) && says(first) && showsAgain(output, action)
  const byProgram = isMessage && ((BY_PROGRAM.test(first) && says(first)) || isByCommand(first, action))
  const isTrouble = isMessage && says(first) && lines.length <= 4
  return opens || isAbout || byProgram || isTrouble ? first : null
}

const withoutQuotes = (text: string): string => text.replace(/["'`]/g, '')

/** What a tool complained of in an answer to an action; null where it did not. What the source itself marks counts first, its words last. */
export function complaintOf(
  output: string | null,
  action: string,
  { isError = false, exit = null, refused = false }: AnswerMarks = {},
): Complaint | null {
  const from = refused ? 'schema' : isError ? 'status' : exit !== null && exit !== 0 ? 'exit' : 'text'
  const isMarked = from !== 'text'
  const line = output === null ? null : lineOf(output, action, isMarked)
  if (line === null) return isMarked ? { line: '', masked: '', names: { by: null, of: null }, from } : null
  // What an action has printed are its own words.
  if (!isMarked && withoutQuotes(action).includes(withoutQuotes(line))) return null
  const { rest, ...names } = namesIn(line, action)
  return { line, masked: maskComplaint(rest, action), names, from }
}
