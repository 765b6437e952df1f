import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRng } from '../../src/core/ground/random'
import type { LanguageModel } from '../../src/core/ground/ports'
import { findMethod } from '../../src/core/methods'
import { changesOf, readEntries } from '../../models/training/tune/tasks'
import type { App } from '../../src/main/app'
import type { Task } from '../../src/shared/domain/task'
import { openMemories, type Memory, type Opening, type Sentence } from './memory-systems'
import { contextOf, memoryOfSolutions, playStatement, solutionOf } from './solved-tasks'

const SYSTEM = 'Answer with the one SQL statement that does the task, and nothing else.'
const lineOf = (task: Task): string => `${task.instruction.replaceAll(/\s+/g, ' ')} => ${solutionOf(task)}`

/** Loam's cases of the same solved tasks, as the case bank recalls them. */
const loamCases = (app: App, tasks: readonly Task[], model: LanguageModel): Opening => ({
  name: 'Loam, cases',
  async make() {
    const memoryId = await memoryOfSolutions(app, tasks, model)
    const context = await contextOf(app, memoryId, model)
    const lines = new Map(tasks.map((task) => [`solution-${task.id}`, lineOf(task)]))
    return {
      async find(question) {
        const task = tasks.find(({ instruction }) => instruction === question)
        if (!task) return []
        const { retrieved } = await findMethod('case-bank').recall({ task, context: '' }, context)
        return retrieved.toReversed().flatMap(({ item }) => lines.get(item.trajectoryId ?? '') ?? [])
      },
      close: () => Promise.resolve(),
    }
  },
})

export interface RepeatsInput {
  readonly app: App
  readonly model: LanguageModel
  /** LifelongAgentBench's db_bench.json. */
  readonly published: string
  readonly packages: string
  readonly folder: string
  /** Tasks that come again, of those that every memory holds. */
  readonly count: number
  readonly seeds: readonly number[]
  readonly temperature: number
  readonly only: string
  readonly print: (line: string) => void
}

/**
 * Every memory holds the changes of LifelongAgentBench with their solutions, and some of the tasks come again in the same words: how often what
 * it gives back holds the task's own solution, and how often the model's statement, with what was given back as turns before it, changes the
 * database as it should. A row for each memory; figures of the seeds apart.
 */
export async function playRepeats(input: RepeatsInput): Promise<void> {
  const { app, model, folder, print } = input
  const stream = join(folder, 'changes.json')
  const entries = changesOf(await readEntries(input.published))
  await writeFile(stream, JSON.stringify(Object.fromEntries(entries.map((entry, i) => [i, entry]))))
  const { tasks } = await app.streams.load(stream)
  const sentences: Sentence[] = tasks.map((task) => ({
    ...{ question: task.instruction, answer: solutionOf(task), sentence: lineOf(task) },
  }))
  const { id: scratch } = await app.memories.create('Grading')
  const grading = await contextOf(app, scratch, model)
  const rows = new Map<string, { found: number[]; right: number[]; tokens: number }>()

  const attempt = async (memory: Memory, task: Task, seed: number) => {
    const given = await memory.find(task.instruction)
    const turns = given.toReversed().flatMap((line) => {
      const [question = '', answer = ''] = line.split(' => ')
      return [{ role: 'user', content: question } as const, { role: 'assistant', content: answer } as const]
    })
    const reply = await model.generate({
      messages: [
        { role: 'system', content: SYSTEM },
        ...turns,
        { role: 'user', content: task.instruction.replaceAll(/\s+/g, ' ') },
      ],
      ...{ temperature: input.temperature, seed, maxTokens: 128, stop: ['\n\n'] },
    })
    const { reward } = await playStatement(app, task, reply.text.trim(), scratch, grading)
    return { found: given.includes(lineOf(task)), right: reward === 1, tokens: reply.usage.promptTokens }
  }

  for (const seed of input.seeds) {
    const again = createRng(`repeats ${seed}`).sample([...tasks], input.count)
    const place = join(folder, `repeats-${seed}`)
    for (const open of openMemories(app, input.packages, place, loamCases(app, tasks, model))) {
      // All of them at once is more than a small model reads.
      if (!open.name.includes(input.only) || open.name === 'whole context') continue
      const memory = await open.make(sentences).catch((error: unknown) => {
        print(`skipped ${open.name}: ${String(error).split('\n')[0] ?? ''}`)
        return null
      })
      if (!memory) continue
      const row = rows.get(open.name) ?? { found: [], right: [], tokens: 0 }
      rows.set(open.name, row)
      const ends = []
      for (const task of again) ends.push(await attempt(memory, task, seed))
      row.found.push(ends.filter(({ found }) => found).length)
      row.right.push(ends.filter(({ right }) => right).length)
      row.tokens += ends.reduce((sum, { tokens }) => sum + tokens, 0)
      await memory.close()
    }
  }
  print(`| memory | its own solution found, of ${input.count} | solved, of ${input.count} | prompt tokens |`)
  print('|---|---|---|---|')
  for (const [name, { found, right, tokens }] of rows)
    print(
      `| ${name} | ${found.join(', ')} | ${right.join(', ')} | ${(tokens / input.seeds.length / input.count).toFixed(0)} |`,
    )
}
