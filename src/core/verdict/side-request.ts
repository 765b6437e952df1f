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

/** What programs ask a model for beside the person's work: the head of their own prompt says so. */
const SIDE_WORK: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:generate|create|write|give|provide|come up with|output)\b[^\n]{0,90}\b(?:title|name)s?\b[^\n]{0,110}(?:conversation|chat|thread|session|dialog|message)|\btitle (?:for|of) (?:this|the|a) (?:conversation|chat|session)|\btitle generator\b|\bchat title\b|indicates a new conversation topic/i,
    'a title for a conversation',
  ],
  [
    /\bsummari[sz]\w{1,4}\b[^\n]{0,120}(?:conversation|chat|session|messages|history|so far)|\bsummary (?:of|for) [^\n]{0,40}(?:conversation|chat|session)|\bcompact(?:ing|ion)?\b[^\n]{0,30}(?:conversation|context|history)/i,
    'a summary of a conversation',
  ],
  [
    /\bsuggest[^\n]{0,80}(?:follow[- ]?up|next (?:question|prompt|message))|\bfollow[- ]?up (?:question|prompt)s?[^\n]{0,60}(?:ask|next)|\btags?\b[^\n]{0,80}(?:chat|conversation|theme)|\bautocompletion system\b|\bsuggestion mode\b/i,
    'suggestions',
  ],
  [
    /\b(?:generate|rewrite|rephrase)\b[^\n]{0,80}(?:search quer(?:y|ies)|standalone question)/i,
    'a search query',
  ],
  [
    /\binformation organi[sz]er\b|\b(?:extract|store)\b[^\n]{0,40}\b(?:facts|memories|preferences)\b/i,
    'upkeep of a memory',
  ],
  [/\b(?:generate|write)\b[^\n]{0,60}\bcommit messages?\b/i, 'a commit message'],
  [
    /\b(?:extract|determine) [^\n]{0,40}(?:command prefix|file ?paths?)[^\n]{0,80}(?:command|output)/i,
    'a check of a command',
  ],
]
/** Marks of a prompt that a program wrote and no person. */
const BY_PROGRAM =
  /\bonly (?:return|output|respond|reply)|\b(?:return|output) only\b|\bno (?:quot|explan|punct)|\b\d{1,3} ?(?:-|to) ?\d{1,3} ?(?:words?|characters?)\b|### ?task|<(?:chat|conversation|text)|\b(?:chat|conversation) history|\bfollowing (?:conversation|is the)|\bpartial conversation|\bthis conversation:?\s*$/im
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
  const workIn = (head: string): string | null =>
    SIDE_WORK.find(([pattern]) => pattern.test(head))?.[1] ?? null
  return (
    workIn(system.slice(0, HEAD)) ??
    (BY_PROGRAM.test(text.slice(0, MARKS)) ? workIn(text.slice(0, HEAD)) : null)
  )
}
