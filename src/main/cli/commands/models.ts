import { resolve } from 'node:path'
import { GENERATORS } from '../../../core/tasks/generators'
import { changedPromptsText, type ModelInfo } from '../../../shared/domain/model'
import { modelsNamed, speedWords, threadWords } from '../../../shared/domain/model'
import { advisedSpeedWords } from '../../../shared/domain/model-advice'
import { modelFrom } from '../../ground/model-reference'
import { fileSize } from '../console-io'
import {
  abilityLines,
  ATTEMPT_FORM_WORDS,
  factFormWords,
  replyCount,
  relationLine,
  roleLine,
  tallyWords,
  type ModelProfile,
} from '../../../shared/domain/model-profile'
import { UsageError } from '../arguments'
import { followJob } from '../follow-job'
import type { Command } from './command'

/** Architecture, size, quantization, trained context, and what it cannot do. */
const factsOf = (model: ModelInfo): string =>
  [
    model.architecture,
    model.sizeBytes === 0 ? '' : fileSize(model.sizeBytes),
    model.parts === undefined ? '' : `in ${model.parts} parts`,
    model.quantization ?? '',
    model.trainContext === null ? '' : `reads ${model.trainContext} tokens`,
    model.embedding === undefined ? '' : 'embeds texts, writes none',
    model.chatTemplate === false && model.embedding === undefined ? 'no chat template' : '',
    model.speed === undefined ? '' : speedWords(model.speed),
  ]
    .filter((part) => part !== '')
    .join(', ')

/** `loam models`: what is on disk and where it was found, what was left out, and what is known. */
export const modelsCommand: Command = async ({ io, host }) => {
  const { client } = await host()
  const [models, places] = await Promise.all([client.models.list(), client.models.places()])
  for (const model of models) {
    const kind = model.demo ? `  demo model, for the ${GENERATORS[0].id} streams only` : ''
    const problem = model.problem === null ? '' : `  cannot be used: ${model.problem}`
    const change = changedPromptsText(model)
    io.out(`${model.path}  ${model.name}, ${factsOf(model)}${kind}${problem}`)
    if (model.foundIn !== undefined)
      io.out(`    ${[model.id, ...(model.aliases ?? [])].join(', ')}  (${model.foundIn})`)
    if (change) io.note(change)
  }
  for (const { path, why } of places.flatMap(({ left }) => left)) io.note(`Left out: ${path}. ${why}`)
  const { models: resources = [] } = await client.engine.state()
  for (const { name, contextSize, threads, processes } of resources)
    io.out(
      `Loaded: ${name}, with ${contextSize} tokens of context and ${threadWords(threads)}${processes > 1 ? ` in each of ${processes} processes` : ''}`,
    )
  if (models.length === 0)
    io.note('No GGUF files were found. Add some (loam models add PATH), or use --model.')
  return { models, places, loaded: resources, registry: await client.models.registry() }
}

/** `loam models add PATH`: a file or a folder of models, read where it lies. */
export const addModel: Command = async ({ args, io, host }) => {
  const path = resolve(args.word(2, 'Which file or folder? loam models add PATH'))
  const report = await (await host()).client.models.add({ path })
  io.out(`${report.path}  ${report.words}`)
  return report
}

/** `loam models forget PATH`: a file or folder that was added is listed no more, and stays on disk. */
export const forgetModel: Command = async ({ args, io, host }) => {
  const path = resolve(args.word(2, 'Which file or folder? loam models forget PATH'))
  await (await host()).client.models.forget({ path })
  io.note(`${path} is listed no more; it stays on disk`)
  return { path }
}

const SEATS = { gpu: 'on the graphics card', both: 'on card and processor', cpu: 'on the processor' } as const

/** `loam models advise`: what this machine has for models, and which known ones suit it. */
export const adviseModel: Command = async ({ args, io, host }) => {
  const { models: library } = (await host()).client
  const advice = await (args.flag('again') ? library.measureMachine() : library.advice())
  const { machine, models, best, written } = advice
  const { ramBytes, vramBytes, gpu, cores, processor, instructions } = machine
  const card =
    vramBytes === null
      ? 'no graphics card'
      : `${fileSize(vramBytes)} on the graphics card (${gpu ?? 'unnamed'})`
  io.out(
    `${fileSize(ramBytes)} of memory, ${card}, ${cores} processors ${processor} ${instructions.join(' ')}`.trim(),
  )
  for (const model of models) {
    const speed = advisedSpeedWords(model)
    const seat = model.seat === null ? 'does not fit' : `fits ${SEATS[model.seat]}`
    const fit = speed === null ? seat : `${seat}, ${speed}`
    const can = model.can.length === 0 ? '' : `, ${model.can.join(', ')}`
    io.out(
      `${model.id === best ? '* ' : '  '}${model.name}  about ${fileSize(model.sizeBytes)}, ${fit}; reads ${model.contextSize} tokens${can}; ${model.licence}; ${model.published}`,
    )
  }
  if (machine.busy)
    io.note('Other programs worked while that was measured, so it may be more: loam models advise --again.')
  const choice = models.find(({ id }) => id === best)
  io.note(
    `The list was written on ${written}. Speeds said as “up to” are reckoned from how fast this machine reads memory, or from what models that were loaded here came to.`,
  )
  if (choice) io.note(`To begin with: loam models download ${choice.repo}:${choice.quantization}`)
  else io.note('None of them fits. A server can answer instead: loam servers add.')
  return advice
}

/** How each form did, a line each, then what follows from it. */
function profileLines(profile: ModelProfile): string[] {
  const { tallies, facts, attempts, ms } = profile
  const rows = Object.values(tallies)
    .flat()
    .map((tally) => `${tally.form}: ${tallyWords(tally)}`)
    .filter((line) => !line.endsWith(': '))
  const byHand = (choice: unknown): string => (choice === null ? '' : ', as was chosen by hand')
  const attemptForm = attempts.choice ?? attempts.form
  return [
    ...rows,
    `Facts are shown as ${factFormWords(facts.choice ?? facts.form)}${byHand(facts.choice)}.`,
    attemptForm === null
      ? ''
      : `Attempts are shown ${ATTEMPT_FORM_WORDS[attemptForm]}${byHand(attempts.choice)}.`,
    ...abilityLines(profile),
    roleLine(profile),
    relationLine(profile),
    `Measured with ${replyCount(profile)} questions in ${Math.round(ms / 1000)} s.`,
  ].filter((line) => line !== '')
}

/** `loam models measure MODEL`: finds out how a model reads memory best, whether it uses tools, and in which languages it answers. */
export const measureModel: Command = async ({ args, io, host }) => {
  const [, , inputText] = args.positionals
  if (inputText === undefined) throw new UsageError('Which one? loam models measure MODEL')
  const reached = await host()
  const { client } = reached
  const [model] = modelsNamed(inputText, await client.models.list())
  const path = model?.path ?? modelFrom(inputText)
  const { jobId } = await client.models.measure({ path })
  await followJob(reached, jobId, io)
  const profile = await client.models.profile({ path })
  if (profile) for (const line of profileLines(profile)) io.out(line)
  return profile
}
