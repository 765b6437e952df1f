import { resolve } from 'node:path'
import { answerCheckSchema, CHECK_WORDS, type AnswerCheck } from '../../../shared/domain/answer-check'
import type { ColumnChoice } from '../../../shared/domain/own-tasks'
import { leftLines, readingWords } from '../../../shared/domain/reading'
import { UsageError, type Arguments } from '../arguments'
import type { Command } from './command'

const sourceOf = ({ word }: Arguments, verb: string) => ({
  path: resolve(word(2, `Which file? loam streams ${verb} FILE`)),
})

/** A check by its kind alone (`exact`) or whole, as JSON (`{"kind": "number", "tolerance": 0.1}`). */
function readCheck(text: string | undefined): AnswerCheck {
  const kinds = Object.keys(CHECK_WORDS).join(', ')
  try {
    return answerCheckSchema.parse(text?.startsWith('{') ? JSON.parse(text) : { kind: text ?? 'exact' })
  } catch {
    throw new UsageError(
      `--check ${text ?? ''} is no check`,
      `Name one of ${kinds}, or write it as JSON (docs/streams.md).`,
    )
  }
}

function getChoice(args: Arguments, guess: ColumnChoice | null): ColumnChoice {
  const question = args.text('question') ?? guess?.question
  if (question === undefined) throw new UsageError('Which column is the question? Say --question COLUMN')
  const columns = { answer: null, files: null, skill: null, id: null, ...guess }
  return { ...columns, question, answer: args.text('answer') ?? columns.answer }
}

/** `loam streams inspect FILE|FOLDER`: what is seen in it, and what its first rows would be as tasks. */
export const inspectRows: Command = async ({ args, io, host }) => {
  const source = sourceOf(args, 'inspect')
  const { client } = await host()
  const visit = await client.streams.look({ source })
  io.out(`${source.path}: ${visit.form}, ${visit.rows} rows with the columns ${visit.columns.join(', ')}`)
  if (visit.known !== null) {
    const stream = await client.streams.inspect({ path: source.path })
    io.out(
      `It can be run as it is: ${visit.known.tasks} tasks of ${visit.known.environment}. ${readingWords(stream.reading)}`,
    )
    for (const line of leftLines(stream.reading, 5)) io.note(`  ${line}`)
    return { ...visit, stream }
  }
  const columns = getChoice(args, visit.guess)
  const drafted = await client.streams.try({ source, columns, check: readCheck(args.text('check')) })
  io.out(
    `As tasks of your own, with "${columns.question}" asked and "${columns.answer ?? 'nothing'}" as the answer:`,
  )
  for (const { question, answer } of drafted.tasks)
    io.out(`  ${question.slice(0, 100)}  ->  ${answer.slice(0, 60)}`)
  for (const line of leftLines(drafted.reading, 5)) io.note(`  ${line}`)
  io.out(
    'Keep them: loam streams keep FILE --title TITLE [--question COLUMN] [--answer COLUMN] [--check KIND]',
  )
  return { ...visit, columns, ...drafted }
}

/** `loam streams keep FILE|FOLDER --title T`: rows as a stream of one's own. */
export const keepRows: Command = async ({ args, io, host }) => {
  const source = sourceOf(args, 'keep')
  const title = args.required('title')
  const check = readCheck(args.text('check'))
  const { client } = await host()
  const { guess } = await client.streams.look({ source })
  const stream = await client.streams.keep({ source, title, check, columns: getChoice(args, guess) })
  io.out(`Kept ${stream.tasks} tasks as ${stream.id}. ${readingWords(stream.reading)}`)
  for (const line of leftLines(stream.reading, 5)) io.note(`  ${line}`)
  return stream
}
