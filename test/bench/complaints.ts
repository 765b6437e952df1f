import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRng } from '../../src/core/ground/random'
import { parseStream } from '../../src/core/streams/parse-stream'
import { labOsEntrySchema, type LabOsEntry } from '../../src/core/tasks/lab-os/entry'
import type { Machine } from '../../src/core/tasks/lab-os/machine'
import { TOOL_SETS } from '../../src/core/tasks/tool-use/domains'
import { complaintOf } from '../../src/core/verdict/complaint'
import { createSimulatedDriver } from '../../src/main/adapters/simulated'
import { attemptsInMemory } from '../fixtures/foreign-attempts'
import { share } from './figures'

/**
 * `npm run complaints -- [--os os_interaction.json [--tasks N] [--seed S] [--memory FOLDER]] [--tau FOLDER] [--show N]`: how many complaints of tools are told, and how many answers
 * without one are taken for one; by their text alone, as in a log without marks, and with the mark that the environment gives. What is one is told by
 * mechanics: a shell's standard error, a tool that refuses. `--os`: each line of the ground truths of N tasks, on a system that was made ready and on one that was not;
 * with `--memory` also each command of the attempts in a memory. `--tau`: each listed call, as listed, spoiled and with an argument left out.
 */
const { values } = parseArgs({
  options: {
    os: { type: 'string' },
    memory: { type: 'string' },
    tasks: { type: 'string', default: '60' },
    seed: { type: 'string', default: 'complaints' },
    tau: { type: 'string' },
    show: { type: 'string', default: '0' },
  },
})
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const SECONDS = 10

/** One answer of a tool. */
interface Answer {
  readonly action: string
  readonly text: string
  /** What the environment marks it with: a mark of its own, or the exit code of a whole script. */
  readonly failed: boolean
  readonly complains: boolean
}

function report(name: string, answers: readonly Answer[]): void {
  const [complaints, data] = [true, false].map((is) => answers.filter(({ complains }) => complains === is))
  if (!complaints || !data) return
  const byText = ({ text, action }: Answer): boolean => complaintOf(text, action) !== null
  const byMark = ({ text, action, failed }: Answer): boolean =>
    (complaintOf(text, action, { isError: failed })?.line ?? '') !== ''
  print(`\n${name}: ${answers.length} answers`)
  for (const [how, isTold] of [
    ['by text alone', byText],
    ['with the mark', byMark],
  ] as const)
    print(
      `  ${how}: complaints told ${share(complaints.filter(isTold).length, complaints.length)}; data taken for one ${share(data.filter(isTold).length, data.length)}`,
    )
  const wrong = [
    ...complaints.filter((one) => !byText(one)).map((one) => ['missed', one] as const),
    ...data.filter(byText).map((one) => ['data', one] as const),
  ]
  for (const [kind, { action, text }] of wrong.slice(0, Number(values.show)))
    print(`    ${kind}: ${JSON.stringify(action.slice(0, 160))} -> ${JSON.stringify(text.slice(0, 200))}`)
}

/** A shell's answers to scripts in turn, on two equal systems: one of them keeps standard error to itself. */
async function answersOf(scripts: readonly string[], entry: LabOsEntry | null): Promise<Answer[]> {
  const driver = await createSimulatedDriver()
  const [whole, silent] = (await Promise.all([driver.open(), driver.open()])) as [Machine, Machine]
  const answers: Answer[] = []
  try {
    if (entry)
      for (const machine of [whole, silent])
        await machine.run(entry.initialization_command_item.script, SECONDS)
    for (const action of scripts) {
      const { exitCode, output } = await whole.run(action, SECONDS)
      const { output: data } = await silent.run(`{\n${action}\n} 2>/dev/null`, SECONDS)
      const text = output === '' ? 'The output of the OS is empty.' : `The output of the OS:\n\n${output}`
      // A script that does not parse complains of both forms.
      const complains = output !== data || output.startsWith('bash: syntax error')
      answers.push({ action, text, failed: exitCode !== 0, complains })
    }
  } finally {
    await Promise.all([whole.close(), silent.close()])
  }
  return answers
}

/** The lines of a script, each a command of its own where it is one. */
const linesOf = (script: string): string[] =>
  script.split(/\n|&&/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))

async function reportShell(file: string): Promise<void> {
  const { tasks } = parseStream(await readFile(file, 'utf8'), 'os_interaction.json')
  const entries = new Map(tasks.map(({ id, payload }) => [id, labOsEntrySchema.parse(payload)]))
  const answers: Answer[] = []
  for (const entry of createRng(values.seed).sample([...entries.values()], Number(values.tasks))) {
    const lines = linesOf(entry.evaluation_info.ground_truth_command_item?.script ?? '')
    answers.push(...(await answersOf(lines, entry)), ...(await answersOf(lines, null)))
  }
  report('Ground truths in the shell, line by line', answers)
  if (values.memory === undefined) return
  const played: Answer[] = []
  for (const { task, acts } of await attemptsInMemory(values.memory)) {
    const scripts = acts.filter(({ tool }) => tool === 'bash').map(({ action }) => action)
    played.push(...(await answersOf(scripts, entries.get(task.split('/')[1] ?? '') ?? null)))
  }
  report('Attempts in the shell', played)
}

interface ListedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly requestor?: string
}

/** A call as it is listed, with each argument spoiled, and with each left out. */
const variantsOf = (args: ListedCall['arguments']): ListedCall['arguments'][] => [
  args,
  ...Object.entries(args).flatMap(([name, value]) => {
    const spoiled = typeof value === 'string' ? `${value}0` : typeof value === 'number' ? -value : []
    const { [name]: _, ...others } = args
    return [{ ...args, [name]: spoiled }, others]
  }),
]

async function reportTau(folder: string, domain: string): Promise<void> {
  const read = async <T>(name: string): Promise<T> =>
    JSON.parse(await readFile(join(folder, domain, name), 'utf8')) as T
  const database = await read<unknown>('db.json')
  const tasks = await read<{ evaluation_criteria: { actions: ListedCall[] | null } }[]>('tasks.json')
  const tools = TOOL_SETS[domain]
  const answers = tasks.flatMap(({ evaluation_criteria: { actions } }) => {
    const session = tools?.open({ agent: database })
    return (actions ?? []).flatMap(({ name, arguments: args }) =>
      variantsOf(args).flatMap((variant): Answer[] => {
        const result = session?.call(name, variant)
        if (!result) return []
        return [{ action: JSON.stringify(variant), ...result, complains: result.failed }]
      }),
    )
  })
  report(`tau2 ${domain}, listed calls and spoiled ones`, answers)
}

if (values.os !== undefined) await reportShell(values.os)
if (values.tau !== undefined)
  for (const domain of ['airline', 'retail', 'mock']) await reportTau(values.tau, domain)
