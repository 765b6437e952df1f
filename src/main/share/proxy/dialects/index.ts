import { anthropicMessagesDialect } from './anthropic'
import type { Dialect } from './dialect'
import { gemini } from './gemini'
import { ollamaChat, ollamaGenerate } from './ollama'
import { openaiChat, openaiCompletions, openaiResponses } from './openai'

const DIALECTS: readonly Dialect[] = [
  ...[openaiChat, openaiCompletions, openaiResponses],
  ...[anthropicMessagesDialect, ollamaChat, ollamaGenerate, gemini],
]

/** A dialect by its id. @throws RangeError */
export function dialectCalled(name: string): Dialect {
  const dialect = DIALECTS.find(({ id }) => id === name)
  if (!dialect) throw new RangeError(`There is no dialect ${name}.`)
  return dialect
}

/** The dialect of a request, by its path without the query; null where there is nothing to remember. */
export const dialectAt = (path: string): Dialect | null => DIALECTS.find(({ isAt }) => isAt(path)) ?? null
