import type { Note } from '../../memory/notes/note'
import { retellTrajectory } from '../../ground/prompt'
import { rankByCosine, type Ranked } from '../../retrieval/rank'
import { EVOLUTION, learnNote, NOTE } from './learn'
import { noteLine } from './messages'
import { hasActed, NOTHING_LEARNED, NOTHING_RECALLED, type Method } from '../../ground/method'
import { readSettings } from '../../ground/settings'
import { PAPER } from './paper'
import { SETTINGS } from './settings'

interface Chosen extends Ranked<Note> {
  readonly how: 'cosine' | 'link'
}

/** The K notes to show, most similar first: two thirds by similarity, then those linked with them, then more by similarity. */
function choose(ranked: readonly Ranked<Note>[], k: number, links: boolean): Chosen[] {
  const first = ranked.slice(0, links ? Math.ceil((2 * k) / 3) : k)
  const rest = ranked.slice(first.length)
  const isLinked = ({ item }: Ranked<Note>): boolean =>
    first.some(({ item: near }) => near.links.includes(item.id) || item.links.includes(near.id))
  return [
    ...first.map((note) => ({ ...note, how: 'cosine' as const })),
    ...rest.filter(isLinked).map((note) => ({ ...note, how: 'link' as const })),
    ...rest.filter((note) => !isLinked(note)).map((note) => ({ ...note, how: 'cosine' as const })),
  ]
    .slice(0, k)
    .sort((a, b) => b.score - a.score)
}

/**
 * A-MEM (Xu et al. 2025, arXiv 2502.12110). Every attempt becomes a note with keywords, context and tags written by the model;
 * the model then decides which of its nearest notes it is linked with and which of them get a new context and new tags
 * (evolution). Recall: the K notes nearest to the task, linked notes among them; each is shown as the attempt with its note.
 *
 * Simplified: links and evolution are one question about 4 neighbours (the paper's code: one question, 5 neighbours; the paper: 10),
 * which shows the neighbours' notes without their dialogs; vectors are made of task, context, keywords and tags; a third of the
 * K places are kept for linked notes, so that Exp means the same as for the other methods (at K = 0 no notes are written).
 */
export const aMem: Method = {
  info: {
    id: 'amem',
    title: 'Linked notes',
    description: 'Writes a note about every attempt, links related notes and keeps revising them.',
    source: 'A-MEM, agentic memory: notes, links and evolution',
    usesK: true,
    defaultK: 4,
    colour: 7,
    keeps: ['note'],
    everyday: 'compared',
    recalls: [
      {
        kind: 'note',
        what: 'the K most like the task or linked with those, each with its attempt',
        place: 'task',
      },
    ],
  },
  settings: SETTINGS,
  paper: PAPER,
  prompts: () => [NOTE, EVOLUTION],
  async recall(input, context) {
    const { task, signal } = input
    const { bank, embedder, k } = context
    if (k === 0) return NOTHING_RECALLED
    const notes = await bank.items('note', { environment: task.environment })
    const ranked = await rankByCosine(embedder, task.instruction, notes, noteLine, signal)
    const choices = choose(ranked, k, readSettings(SETTINGS, context.settings).links)
    const parts = await Promise.all(
      choices.reverse().map(async ({ item: note, score, how }) => {
        const trajectory = await bank.trajectory(note.trajectoryIds[0] ?? '')
        if (!trajectory) return null
        const about = `Context: ${note.context} Keywords: ${note.keywords.join(', ')}. Tags: ${note.tags.join(', ')}.`
        return {
          text: `${retellTrajectory(trajectory, input)}\n${about}`,
          item: {
            kind: 'note' as const,
            id: note.id,
            trajectoryId: trajectory.id,
            title: note.title,
            score,
            scoreKind: how,
            reward: trajectory.reward,
          },
        }
      }),
    )
    return { errorLessons: [], successLessons: [], retrieved: parts.filter((part) => part !== null) }
  },
  learn: (trajectory, context, signal) =>
    context.k === 0 || !hasActed(trajectory)
      ? Promise.resolve(NOTHING_LEARNED)
      : learnNote(trajectory, context, signal),
}
