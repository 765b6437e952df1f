import { anthropicMessagesDialect } from './anthropic'
import type { Dialect } from './dialect'
import { gemini } from './gemini'
import { ollamaChat, ollamaGenerate } from './ollama'
import { openaiChat, openaiCompletions, openaiResponses } from './openai'

const DIALECTS: readonly Dialect[] = [
  ...[openaiChat, openaiCompletions, openaiResponses],
  ...[anthropicMessagesDialect, ollamaChat, ollamaGenerate, gemini],
]

/** The dialect of a request, by its path without the query; null where there is nothing to remember. */
export const dialectAt = (path: string): Dialect | null => DIALECTS.find(({ isAt }) => isAt(path)) ?? null
