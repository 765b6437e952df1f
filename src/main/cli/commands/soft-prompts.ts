import { basename, resolve } from 'node:path'
import { z } from 'zod'
import {
  SHOWN_PRESETS,
  trainerBackendSchema,
  type TrainInput,
  type TrainingPlan,
} from '../../../shared/domain/soft-prompt-training'
import { insteadWords } from '../../../shared/domain/soft-prompt'
import { LoamError } from '../../../shared/errors'
import { modelOf, streamFrom, UsageError, type Arguments } from '../arguments'
import { duration } from '../console-io'
import { followJob } from '../follow-job'
import type { Command } from './command'
import { requiredFolder } from './memory-named'
import { BOUNDS } from '../../../shared/domain/bounds'

const BACKENDS = trainerBackendSchema.options
const SHOWN = SHOWN_PRESETS.map(({ id }) => id)
const ACTIONS = ['teacher', 'recorded'] as const

/** What the job of a training tells. */
const trainedSchema = z.object({ adapter: z.string(), model: z.string() })

/** `loam soft-prompts train`: trains a soft prompt on a memory's successes, which waits unless it is to be used at once, or says what that would take. */
export const softPromptsCommand: Command = async ({ args, io, host }) => {
  const input = readInput(args)
  const out = args.text('out')
  const reached = await host()
  const { softPrompts, jobs } = reached.client
  const memoryId = input.memory
  const plan = await softPrompts.plan(input)
  const dry = args.flag('dry-run')
  for (const line of costLines(plan)) {
    if (dry) io.out(line)
    else io.note(line)
  }
  if (dry) return plan
  const { jobId } = await softPrompts.start(input)
  await followJob(reached, jobId, io)
  const { adapter: file, model } = trainedSchema.parse(await jobs.report({ jobId }))
  const adapter = basename(file)
  const isUsed = args.flag('use')
  const { items } = isUsed
    ? await softPrompts.accept({ memoryId, adapter })
    : await softPrompts.list({ memoryId })
  const match = items.find(({ info }) => info.adapter === adapter)
  if (!match)
    throw new LoamError('SOFT_PROMPT', `${file} is not on the shelf.`, { suggestion: 'Train again.' })
  const { outcome, baseModel, reservedIds } = match.info
  const holding =
    outcome.heldOutLoss === null ? '' : `, ${outcome.heldOutLoss.toFixed(3)} on held-out attempts`
  io.out(
    `Loss per token from ${outcome.initialLoss.toFixed(3)} to ${outcome.finalLoss.toFixed(3)}${holding}, ${outcome.steps} steps in ${duration(outcome.wallMs)}.`,
  )
  if (match.info.instead) io.note(insteadWords(match.info.instead))
  io.out(`Soft prompt: ${file}`)
  // A lower loss has gone with fewer solved tasks: only playing tells.
  if (!isUsed)
    io.note(
      'It waits on the shelf, and no run of the memory is served it by itself. Try it on tasks it has not seen: loam run --soft-prompt FILE, or in the window, where it is accepted.',
    )
  if (out !== undefined) {
    const output = await softPrompts.export({ memoryId, adapter, folder: resolve(out) })
    for (const path of output.files) io.note(`Written: ${path}`)
  }
  return {
    adapter: file,
    model,
    baseModelSha256: baseModel.sha256,
    reservedIds,
    initialLoss: outcome.initialLoss,
    finalLoss: outcome.finalLoss,
    heldOutLoss: outcome.heldOutLoss,
    steps: outcome.steps,
    wallMs: outcome.wallMs,
  }
}

/** What it will take, line by line. */
function costLines({
  attempts,
  rounds,
  environment,
  estimate,
  freeBytes,
  time,
  settings,
  untie,
}: TrainingPlan): string[] {
  const pace = time.measured ? 'at the pace measured here' : 'a first guess, until one was trained here'
  return [
    `${attempts.length} attempts with ${rounds} rounds in ${environment} are distilled.`,
    `It takes about ${duration(time.teacherMs)} for the teacher and at most ${duration(time.trainingMs)} for ${settings.steps} steps (${pace}); it ends earlier when no more is gained.`,
    `It takes about ${megabytes(estimate.workBytes)} beside the weights' ${megabytes(estimate.weightBytes)}; ${megabytes(freeBytes)} are free.`,
    ...(untie ? [`The model needs an untied copy first: ${megabytes(untie.bytes)} on disk (--untie).`] : []),
  ]
}

function readInput(args: Arguments): TrainInput {
  args.gpuLayers()
  const settings = {
    length: args.whole('length', BOUNDS.length),
    steps: args.whole('steps', BOUNDS.steps),
    learningRate: args.decimal('rate', [0.0001, 10]),
    seed: args.whole('seed', BOUNDS.seed),
  }
  const view = oneOf(args, 'shown', SHOWN)
  const preset = SHOWN_PRESETS.find(({ id }) => id === view)
  const inputs = Object.entries(settings).filter(([, value]) => value !== undefined)
  return {
    memory: requiredFolder(args),
    stream: streamFrom(args.required('stream')),
    model: modelOf(args),
    teacher: args.whole('teacher', BOUNDS.teacher) ?? preset?.teacher,
    student: args.whole('student', BOUNDS.student) ?? preset?.student,
    attempts: args.whole('attempts', BOUNDS.attempts),
    actions: oneOf(args, 'actions', ACTIONS),
    retry: args.flag('retry'),
    topK: args.whole('top-k', BOUNDS.topK) ?? null,
    settings: Object.fromEntries(inputs),
    fresh: args.flag('fresh'),
    untie: args.flag('untie'),
    backend: oneOf(args, 'backend', BACKENDS),
  }
}

function oneOf<T extends string>(
  args: Arguments,
  name: 'actions' | 'backend' | 'shown',
  records: readonly T[],
): T | undefined {
  const inputText = args.text(name)
  const match = records.find((one) => one === inputText)
  if (inputText !== undefined && match === undefined)
    throw new UsageError(`--${name} must be ${records.join(', ')}, not "${inputText}"`)
  return match
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`
