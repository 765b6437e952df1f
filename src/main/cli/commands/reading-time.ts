import { z } from 'zod'
import { readJsonBody } from '../../ground/json-body'

/** Tokens of what coding agents send before a person's first words, in round numbers: instructions and tools. */
const INSTRUCTIONS = 7000

const modelsSchema = z.object({
  data: z.tuple(
    [
      z.object({
        context_length: z.number().positive(),
        tokens_per_second: z
          .object({
            reading: z.number().positive().nullable(),
            writing: z.number().positive(),
            busy: z.boolean(),
          })
          .optional(),
      }),
    ],
    z.unknown(),
  ),
})

const rounded = (value: number): string => Math.max(1, Math.round(value)).toLocaleString('en-US')

/**
 * What a program that a proxy's own model answers has to be patient for, in words: how much that reads at once, and how fast it read here when it was
 * loaded. Null where a server answers, or nothing was measured.
 */
export async function readingTime(url: string, key: string): Promise<string | null> {
  const answer = await fetch(`${url}/models`, { headers: { authorization: `Bearer ${key}` } })
  const list = await readJsonBody(await answer.text()).catch(() => null)
  const [own] = modelsSchema.safeParse(list).data?.data ?? []
  const speed = own?.tokens_per_second
  if (!own || !speed) return null
  // One that is too slow to be tried at reading reads at least as fast as it writes.
  const { reading, writing, busy } = speed
  const seconds = rounded(INSTRUCTIONS / (reading ?? writing))
  return [
    `The model reads ${rounded(own.context_length)} tokens at once. The instructions of a coding agent, about ${rounded(INSTRUCTIONS)} tokens, take it ` +
      `${reading === null ? 'up to' : 'about'} ${seconds} s here before the first word${busy ? ' (tried while other programs worked: it may be far faster)' : ''}; ` +
      'what was read once is not read again.',
    ...(own.context_length < 2 * INSTRUCTIONS
      ? ['They leave little room in it: a model that reads more at once suits such programs.']
      : []),
  ].join(' ')
}
