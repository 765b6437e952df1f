import {
  bindingsIn,
  MOST_VALUES,
  messageIn,
  valueIn,
  vectorsIn,
  type AnswerRequest,
  type NumberedVector,
} from './answers'
import { foreignReader } from './foreign'

/**
 * Characters up to which an answer is read in the host: what is worst takes 15 ms there (`test/main/isolate/answers.test.ts` holds how it grows), and
 * asking a process takes longer than that. What is longer is read in an isolate.
 */
export const READ_IN_HOST = 64 * 1024

const isolate = foreignReader<AnswerRequest, unknown>('answers', {
  timeMs: 10_000,
  limits: { heapMb: 768, processMb: 1500 },
  suggestion: 'Look what that server answers.',
})

const isShort = (text: string): boolean => text.length <= READ_IN_HOST

/** The value of a server's answer in JSON; `where` names the server, `most` is how many values it may hold. @throws Error saying why it is none */
export const readAnswer = async (text: string, where: string, most = MOST_VALUES): Promise<unknown> =>
  isShort(text) ? valueIn(text, most) : isolate(where, { as: 'value', text, most })

/** Vectors of an answer of `/v1/embeddings`. @throws Error saying why there are none */
export const readVectors = async (text: string, where: string): Promise<NumberedVector[]> =>
  isShort(text) ? vectorsIn(text) : ((await isolate(where, { as: 'vectors', text })) as NumberedVector[])

/** Values of an answer of SPARQL's protocol. @throws Error saying why there are none */
export async function readBindings(text: string, where: string): Promise<string[]> {
  if (isShort(text)) return bindingsIn(text)
  const values: string[] = []
  await isolate(where, { as: 'bindings', text }, undefined, (part) => void values.push(...(part as string[])))
  return values
}

/** A message of a tool server, as `messageIn`. @throws Error saying why it is none */
export const readMessage = async (text: string, where: string): Promise<unknown> =>
  isShort(text) ? messageIn(text) : isolate(where, { as: 'message', text })
