import { leftCount, leftLines } from '../../../shared/domain/reading'
import { verifiedWords, workedWords } from '../../../shared/figures/stream-words'
import { presetNames } from '../../../shared/domain/preset'
import { presetsOf } from '../../../core/ground/method'
import { METHODS } from '../../../core/methods'
import { GENERATORS } from '../../../core/tasks/generators'
import { findResources } from '../../ground/resources'
import { openStreamLibrary } from '../../streams/stream-library'
import { streamFrom, UsageError } from '../arguments'
import { percent } from '../console-io'
import type { Command } from './command'
import { BOUNDS } from '../../../shared/domain/bounds'

/** Rows left out of one stream that the list names. */
const MOST_LINES = 5

/** `loam streams`. */
export const streamsCommand: Command = async ({ io, host }) => {
  const streams = await (await host()).client.streams.list()
  for (const stream of streams) {
    const remainingCount = leftCount(stream.reading)
    io.out(
      `${stream.id}  ${stream.tasks} tasks${remainingCount === 0 ? '' : `, ${remainingCount} rows left out`}  ${stream.description}`,
    )
    for (const line of leftLines(stream.reading, MOST_LINES)) io.note(`  ${line}`)
  }
  return { streams }
}

/** `loam streams show STREAM`: where it is from, how it grades, its verification figure, a sample, and who worked on it. */
export const showStream: Command = async ({ args, io, host }) => {
  const name = args.word(2, 'Which stream? loam streams show STREAM|FILE')
  const page = await (await host()).client.streams.page({ id: streamFrom(name) })
  io.out(`From: ${page.source}`)
  io.out(`Licence: ${page.licence ?? 'nothing is said in the file'}`)
  io.out(`Solved: ${page.solved}`)
  io.out(`Own solutions: ${verifiedWords(page.verified)}`)
  io.out(`Worked on by: ${workedWords(page.worked)}`)
  io.out(`A sample task: ${page.sample}`)
  return page
}

/** `loam streams generate KIND`. Needs no data folder, so it works whatever has it open. */
export const generateStream: Command = async ({ args, io }) => {
  const [, , kind] = args.positionals
  if (!GENERATORS.some(({ id }) => id === kind))
    throw new UsageError(
      `What should be generated? Try: loam streams generate ${GENERATORS.map(({ id }) => id).join('|')}`,
    )
  args.required('world')
  args.required('tasks')
  const world = args.whole('world', BOUNDS.world) ?? 0
  const tasks = args.whole('tasks', BOUNDS.worldTasks) ?? 1
  const file = args.required('out')
  const { streams: bundled } = findResources()
  const info = await openStreamLibrary(bundled, bundled).generate(world, tasks, file, kind)
  io.out(`Wrote ${info.tasks} tasks of world ${world} to ${info.id}`)
  return info
}

/** `loam methods`. */
export const methodsCommand: Command = ({ io }) => {
  for (const method of METHODS) {
    const { info } = method
    io.out(`${info.id}  ${info.description} (${info.source})`)
    const names = presetNames(presetsOf(method), null)
    if (names.length > 0) io.out(`  --preset ${names.join(', ')}`)
  }
  return Promise.resolve({
    methods: METHODS.map((method) => ({ ...method.info, presets: presetsOf(method) })),
  })
}

/** `loam runs`. */
export const runsCommand: Command = async ({ io, host }) => {
  const runs = await (await host()).client.runs.list()
  for (const run of runs) {
    const rate = run.done === 0 ? '' : `, ${percent(run.solved / run.done)} solved`
    io.out(`${run.id}  ${run.status}, ${run.done} of ${run.total} tasks${rate}`)
  }
  return { runs }
}
