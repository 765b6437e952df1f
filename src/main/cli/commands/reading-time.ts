import { z } from 'zod'
import { readJsonBody } from '../../ground/json-body'

/** Tokens of what coding agents send before a person's first words, in round numbers: instructions and tools. */
const INSTRUCTIONS = 7000

const modelSchema = z.object({
  context_length: z.number().positive(),
  tokens_per_second: z
    .object({
      reading: z.number().positive().nullable(),
      writing: z.number().positive(),
      busy: z.boolean(),
    })
    .optional(),
})
const modelsSchema = z.object({ data: z.tuple([modelSchema], z.unknown()) })

const rounded = (value: number): string => Math.max(1, Math.round(value)).toLocaleString('en-US')

/** How long a coding agent's instructions take a model to read that was tried on this machine, in words; null where it was not tried. */
export function readingWords({
  context_length: context,
  tokens_per_second: speed,
}: z.infer<typeof modelSchema>): string | null {
  if (!speed) return null
  const { reading, writing, busy } = speed
  const instructions = `the instructions of a coding agent, about ${rounded(INSTRUCTIONS)} tokens,`
  // One that is too slow to be tried at reading reads at least as fast as it writes.
  const seconds = `${reading === null ? 'up to' : 'about'} ${rounded(INSTRUCTIONS / (reading ?? writing))} s`
  const pace =
    reading === null && busy
      ? `How long ${instructions} take it here is not known: other programs worked while it was tried.`
      : `It takes ${seconds} here to read ${instructions} before its first word${busy ? ' (tried while other programs worked: it may be far faster)' : ''}.`
  const room =
    context < 2 * INSTRUCTIONS
      ? ' They leave little room in it: a model that reads more at once suits such programs.'
      : ''
  return `The model reads ${rounded(context)} tokens at once. ${pace} What was read once is not read again.${room}`
}

/** The same of the model that a proxy of this machine answers with. Null where a server answers. */
export async function readingTime(url: string, key: string): Promise<string | null> {
  const answer = await fetch(`${url}/models`, { headers: { authorization: `Bearer ${key}` } })
  const list = await readJsonBody(await answer.text()).catch(() => null)
  const [own] = modelsSchema.safeParse(list).data?.data ?? []
  return own ? readingWords(own) : null
}
