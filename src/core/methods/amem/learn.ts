import { learnedFrom } from '../../memory/items/learned-from'
import type { Note } from '../../memory/notes/note'
import { addUsage, type Trajectory, type Usage } from '../../../shared/domain/trajectory'
import { retellingOf } from '../../ground/prompt'
import { rankByCosine } from '../../retrieval/rank'
import type { MemoryEvent } from '../../ground/ports'
import type { Learned, MethodContext } from '../../ground/method'
import { readSettings } from '../../ground/settings'
import { SETTINGS } from './settings'
import { failedWriting, write } from '../../ground/writing'
import { evolutionForm, evolutionMessages, NOTE_FORM, noteLine, noteMessages } from './messages'

/** Templates of note construction and of link generation with evolution. */
export const NOTE = 'amem-note'
export const EVOLUTION = 'amem-evolution'

/** What a new note does to its neighbourhood. */
async function evolve(
  note: Note,
  trajectory: Trajectory,
  context: MethodContext,
  signal?: AbortSignal,
): Promise<{ links: string[]; events: MemoryEvent[]; usage?: Usage }> {
  const { links, evolution, neighbours } = readSettings(SETTINGS, context.settings)
  if (!links && !evolution) return { links: [], events: [] }
  const notes = await context.bank.items('note', { environment: note.environment })
  const ranked = await rankByCosine(context.embedder, noteLine(note), notes, noteLine, signal)
  const nearest = ranked.slice(0, neighbours).map(({ item }) => item)
  if (nearest.length === 0) return { links: [], events: [] }
  const order = {
    role: EVOLUTION,
    messages: evolutionMessages(context.prompts.text(EVOLUTION), note, nearest),
    form: evolutionForm(nearest.length),
    taskIndex: trajectory.task.index,
    maxTokens: 320,
    quotes: true,
  }
  const output = await write(order, context, signal)
  const { usage } = output
  if (output.value === null) {
    const ids = [trajectory.id, ...nearest.map((near) => near.trajectoryIds[0] ?? near.id)]
    return { links: [], events: [failedWriting(trajectory, EVOLUTION, ids, output)], usage }
  }
  const idOf = (number: number): string[] => nearest.slice(number - 1, number).map(({ id }) => id)
  const events = output.value.updates.flatMap(({ note: number, context: sense, tags }) =>
    idOf(number).map((noteId): MemoryEvent => ({
      kind: 'note-evolved',
      noteId,
      by: note.id,
      context: sense,
      tags: [...tags],
      at: note.createdAt,
    })),
  )
  return {
    links: links ? output.value.links.flatMap(idOf) : [],
    events: evolution ? events : [],
    usage,
  }
}

/** Writes the note of an attempt, links it, and lets it change its neighbours. An unusable note is only recorded. */
export async function learnNote(
  trajectory: Trajectory,
  context: MethodContext,
  signal?: AbortSignal,
): Promise<Learned> {
  const messages = noteMessages(context.prompts.text(NOTE), retellingOf(trajectory))
  const order = { role: NOTE, messages, form: NOTE_FORM, taskIndex: trajectory.task.index, quotes: true }
  const output = await write(order, context, signal)
  if (output.value === null) {
    return { events: [failedWriting(trajectory, NOTE, [trajectory.id], output)], usage: output.usage }
  }
  const { keywords, tags, context: sense } = output.value
  const note: Note = {
    ...learnedFrom('note', trajectory),
    title: trajectory.task.instruction,
    keywords: [...keywords],
    tags: [...tags],
    context: sense,
    links: [],
  }
  const { links, events, usage } = await evolve(note, trajectory, context, signal)
  return {
    events: [{ kind: 'memory-added', memory: { ...note, links } }, ...events],
    usage: usage ? addUsage(output.usage, usage) : output.usage,
  }
}
