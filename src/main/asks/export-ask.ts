import {
  answerOf,
  keptAttempts,
  specOf,
  type AskAttempt,
  type AskDetail,
  type AskInfo,
} from '../../shared/domain/ask'
import { isImported, isInYourWords } from '../../shared/domain/ask-origin'
import { ASK_FORMAT, type AskExport } from '../../shared/domain/ask-export'
import { nameOfModel } from '../ground/model-file'
import { slugOf } from '../ground/slug'

/** An ask as a file, with a name for it. */
export function exportAsk(
  detail: AskDetail,
  format: 'markdown' | 'json',
): { readonly name: string; readonly text: string } {
  const name = slugOf(detail.ask.title, 'ask')
  if (format === 'markdown') return { name: `${name}.md`, text: asMarkdown(detail) }
  const { ask, turns, attempts } = detail
  const file: AskExport = { ...ASK_FORMAT, ask, turns, attempts }
  return { name: `${name}.json`, text: `${JSON.stringify(file, null, 2)}\n` }
}

const VERDICTS = { right: 'right', partly: 'partly right', wrong: 'wrong' } as const

/** What was said, in order: of each message, all tries at it. What a model wrote stands as it wrote it. */
function asMarkdown(detail: AskDetail): string {
  const { ask, turns } = detail
  const attempts = keptAttempts(detail)
  const parts = [`# ${ask.title}`, ...(ask.origin ? [`Imported from ${ask.origin.program}.`] : [])]
  for (const [index, turn] of turns.entries()) {
    if (turn.removed) continue
    const tries = attempts.filter((attempt) => attempt.turn === index)
    parts.push('## You', turn.text)
    const files = [
      ...turn.given.map(({ name }) => name),
      ...turn.missing.map((name) => `${name} (not in the import)`),
    ]
    if (files.length > 0) parts.push(files.map((name) => `- ${name}`).join('\n'))
    for (const [i, attempt] of tries.entries()) {
      const spec = specOf(ask, attempt)
      const which = tries.length > 1 ? `, try ${i + 1} of ${tries.length}` : ''
      if (spec.text !== turn.text) parts.push('## You, in other words', spec.text)
      parts.push(
        `## ${answererOf(ask, attempt)}${which}`,
        answerOf(attempt) ?? '*No answer.*',
        ...verdictLines(attempt),
      )
    }
  }
  return `${parts.join('\n\n')}\n`
}

/** What a try is answered by, as people call it. */
const answererOf = (ask: AskInfo, attempt: AskAttempt): string =>
  isImported(ask, attempt)
    ? attempt.trajectory.model || (ask.origin?.program ?? '')
    : isInYourWords(attempt)
      ? 'The answer in your words'
      : nameOfModel(specOf(ask, attempt).model)

function verdictLines({ judgement }: AskAttempt): string[] {
  if (!judgement) return []
  const { verdict, answer, note } = judgement
  const lines = [`Judged ${VERDICTS[verdict]}.`]
  if (note !== null) lines.push(note)
  if (answer !== null) lines.push(`It should have been: ${answer}`)
  return [lines.map((line) => line.replaceAll(/^/gm, '> ')).join('\n>\n')]
}
