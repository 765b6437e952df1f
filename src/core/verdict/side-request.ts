import { messageWords } from './person-signs'

/** A request as a program sends it to a model. */
export interface ModelRequest {
  /** Empty for none. */
  readonly system: string
  /** The last text in the person's name. */
  readonly user: string
  /** Most tokens of the reply; null where the program does not say. */
  readonly maxTokens: number | null
  /** Tools that are offered. */
  readonly tools: number
}

/** What programs ask a model for beside the person's work: of each list one word stands at the head of their own prompt. */
const SIDE_WORK: readonly (readonly [what: string, ...words: readonly string[]])[] = [
  ['a title for a conversation', 'title titles', 'conversation chat thread session dialog generator'],
  [
    'a summary of a conversation',
    'summarize summarise summary compact compacting',
    'conversation chat session messages history',
  ],
  ['suggestions', 'suggest suggestions suggestion', 'follow followup', 'question questions'],
  ['suggestions', 'tags autocompletion', 'chat conversation themes system'],
  ['a search query', 'generate rewrite rephrase', 'standalone search', 'question query queries'],
  [
    'upkeep of a memory',
    'organizer organiser extract store',
    'facts memories preferences information',
    'information memories preferences',
  ],
  ['a commit message', 'generate write', 'commit', 'message messages'],
  ['a check of a command', 'extract determine', 'prefix paths filepaths', 'command output'],
]
/** Marks of a prompt that a program wrote and no person. */
const BY_PROGRAM = [
  /\bonly (?:return|output|respond|reply)\b/i,
  /\b(?:return|output) only\b/i,
  /\bno (?:quotes|quotation|explanation|punctuation)/i,
  /\b\d{1,3}-\d{1,3} (?:words?|characters?|relevant)\b/i,
  /### ?task\b/i,
  /<(?:chat|conversation|text)/i,
  /\b(?:chat|conversation) history\b/i,
  /\bpartial conversation\b/i,
]
/** Words that ask for nothing. */
const NO_REQUEST =
  /^(?:<blank>|[-/!]?(?:ask|exit|quit|clear|cd|ls|pwd|help|hey|hi|hello|hallo|hola|bonjour|yo|test|ping|cls|q|quota|count|warm ?up|health ?check))?[\s.!?]*$/i
/** How much of a prompt says what it is for, and of a person's text how much is looked at for marks. */
const HEAD = 300
const MARKS = 600

/**
 * What a request is for, where it is no task of a person: form first (one token at most, words that ask for nothing), then, only where no tools are
 * offered, the head of the system prompt, or the head of the text together with a mark that a program wrote it. Null for a task.
 */
export function sideWorkOf({ system, user, maxTokens, tools }: ModelRequest): string | null {
  if (maxTokens !== null && maxTokens <= 1) return 'a check whether the model answers'
  const text = user.trim()
  if (NO_REQUEST.test(text)) return 'no request'
  if (tools > 0) return null
  const workIn = (head: string): string | null => {
    const words = new Set(messageWords(head))
    const isMet = (list: string): boolean => list.split(' ').some((word) => words.has(word))
    return SIDE_WORK.find(([, ...lists]) => lists.every(isMet))?.[0] ?? null
  }
  const isByProgram = BY_PROGRAM.some((pattern) => pattern.test(text.slice(0, MARKS)))
  return workIn(system.slice(0, HEAD)) ?? (isByProgram ? workIn(text.slice(0, HEAD)) : null)
}
