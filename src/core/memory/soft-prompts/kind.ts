import { z } from 'zod'
import { itemMarkSchema } from '../../../shared/domain/item'
import { softPromptSchema } from '../../../shared/domain/soft-prompt'
import { featuresOf, originOfAttempt } from '../items/features'
import { line, textOf } from '../items/field'
import type { ItemHead, MemoryKindModule, MemorySource, StoredSoftPrompt } from '../items/kind'

const KIND = 'soft-prompt'

const lineSchema = z.object({
  kind: z.literal(KIND),
  info: softPromptSchema,
  /** The adapter file, base64. */
  adapter: z.base64(),
  mark: itemMarkSchema.optional(),
})

const headOf = ({ id, info, mark, deletedAt }: StoredSoftPrompt): ItemHead => ({
  id,
  environment: info.environment ?? '',
  createdAt: info.createdAt,
  reward: null,
  mark,
  gone: deletedAt === null ? null : { why: 'deleted', at: deletedAt, by: null },
  editedAt: info.labelledAt ?? null,
})

const find = async (source: MemorySource, id: string): Promise<StoredSoftPrompt | null> =>
  (await source.softPrompts.list()).find((one) => one.id === id) ?? null

const titleOf = ({ info }: StoredSoftPrompt): string =>
  info.label ?? `Soft prompt of ${info.trajectories.length} attempts`

/** EvoSC's soft prompts: files beside the journal. The one that is pinned is served before the one in use, a muted one never. */
export const softPrompts: MemoryKindModule = {
  info: {
    id: KIND,
    title: 'Soft prompt',
    titleMany: 'Soft prompts',
    help: 'What many attempts taught, as a few learned tokens in front of every prompt.',
    fields: [line('label', 'Name')],
  },
  heads: async (source) =>
    (await source.softPrompts.list())
      .map(headOf)
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0)),
  async head(source, id) {
    const prompt = await find(source, id)
    return prompt && headOf(prompt)
  },
  async read(source, id) {
    const prompt = await find(source, id)
    if (!prompt) return null
    const { info, bytes, inUse } = prompt
    const title = titleOf(prompt)
    return {
      title,
      text: `${title}: ${info.reservedIds.length} tokens, trained on ${info.baseModel.name}.`,
      values: { label: title },
      trajectoryIds: info.trajectories,
      facts: [
        { label: 'Tokens', value: String(info.reservedIds.length) },
        { label: 'Model', value: info.baseModel.name },
        { label: 'Size', value: `${Math.ceil(bytes / 1024)} KB` },
        { label: 'In use', value: inUse ? 'yes' : 'no' },
      ],
    }
  },
  shownAs: 'apart',
  features: (source, id) =>
    featuresOf(softPrompts, source, id, {
      origin: (_source, _head, { trajectoryIds: [first] }) => originOfAttempt(source, '', first),
    }),
  mark: (source, id, mark) => source.softPrompts.mark(id, mark),
  async edit(source, id, values, { at }) {
    await source.softPrompts.label(id, textOf(values, 'label', ''), at)
    return id
  },
  remove: (source, id, { at }) => source.softPrompts.remove(id, at),
  restore: (source, id, { at }) => source.softPrompts.restore(id, at),
  async toLine(source, id) {
    const prompt = await find(source, id)
    if (!prompt) return null
    const adapter = toBase64(await source.softPrompts.read(id))
    return { kind: KIND, info: prompt.info, adapter, ...(prompt.mark && { mark: prompt.mark }) }
  },
  async fromLine(source, value) {
    const { info, adapter, mark } = lineSchema.parse(value)
    if (await find(source, info.adapterSha256)) return false
    await source.softPrompts.add(info, fromBase64(adapter))
    if (mark) await source.softPrompts.mark(info.adapterSha256, mark)
    return true
  },
}

/** Bytes that are turned into text at once. */
const CHUNK = 0x8000

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(binary)
}

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
