import { FIT_WORDS, type DownloadInfo, type HubChoice } from '../../../shared/domain/download'
import { gpuKindSchema } from '../../../shared/domain/gpu-library'
import { UsageError } from '../arguments'
import { fileSize, type ConsoleIo } from '../console-io'
import { followJob } from '../follow-job'
import type { ReachedHost } from '../own-host'
import type { Command } from './command'
import { resolve } from 'node:path'
import { readReference } from '../../ground/model-reference'
import { isGguf } from '../../embedders/gguf-embedder'

/** `loam embedders`: what texts can be compared by. */
export const listOfferedEmbedders: Command = async ({ io, host }) => {
  const { client } = await host()
  const [embedders, { embedder }] = await Promise.all([client.engine.embedders(), client.app.settings()])
  for (const { id, title, dimension, available } of embedders) {
    const marks = [
      dimension === null ? '' : `, ${dimension} numbers`,
      available ? '' : ', files not found',
      id === embedder ? ', in use' : '',
    ]
    io.out(`${id}  ${title}${marks.join('')}`)
  }
  const offers = await client.downloads.offers()
  for (const { id, title, about, license, sizeBytes } of offers)
    if (!embedders.some((one) => one.title === title && one.available))
      io.note(`loam embedders download ${id}  ${title}, ${fileSize(sizeBytes)}, licence ${license}. ${about}`)
  return { embedders, embedder, offers }
}

/** `loam embedders use ID`: chooses one, by name, path or server's model. */
export const chooseEmbedder: Command = async ({ args, io, host }) => {
  const inputText = args.word(2, 'Which one? loam embedders use ID')
  const { client } = await host()
  const isKnown = (await client.engine.embedders()).some(({ id }) => id === inputText)
  const isPath =
    !isKnown && readReference(inputText) === null && (isGguf(inputText) || /[\\/]/.test(inputText))
  const { embedder } = await client.app.saveSettings({ embedder: isPath ? resolve(inputText) : inputText })
  io.out(`Texts are compared by ${embedder} from now on. Memories are indexed anew when they are opened.`)
  return { embedder }
}

/** The quantization that is taken where none is named: small, and still close to the whole model. */
const USUAL = 'Q4_K_M'

/** Says what goes out, where anything may. */
async function tellWhatLeaves({ client }: ReachedHost, io: ConsoleIo, what: string): Promise<void> {
  if (!(await client.app.settings()).network) return
  io.note(
    `${what} goes to the hub of models (huggingface.co, or where HF_ENDPOINT says). Nothing of your tasks or memory does.`,
  )
}

const choiceLine = ({ name, sizeBytes, files, fit }: HubChoice): string =>
  `${name}  ${fileSize(sizeBytes)}${files.length > 1 ? ` in ${files.length} parts` : ''}, ${FIT_WORDS[fit]}`

/** `loam models search NAME`: what the hub has under a name. */
export const searchModels: Command = async ({ args, io, host }) => {
  const text = args.positionals.slice(2).join(' ')
  if (text === '') throw new UsageError('What should be looked for? loam models search NAME')
  const loam = await host()
  const { client } = loam
  await tellWhatLeaves(loam, io, `"${text}"`)
  const matches = await client.downloads.search({ text })
  for (const { repo, license, downloads, gated } of matches)
    io.out(
      `${repo}  ${license === null ? 'licence not stated' : `licence ${license}`}, ${downloads} downloads${gated ? ', terms to accept first' : ''}`,
    )
  if (matches.length === 0) io.note('There is nothing of that name with GGUF files.')
  else io.note(`loam models download ${matches[0]?.repo ?? 'REPO'}[:QUANT]`)
  return { found: matches }
}

/** `loam models download REPO[:QUANT]`: fetches one, or says what there is. */
export const downloadModel: Command = async ({ args, io, host }) => {
  const inputText = args.word(2, 'Which one? loam models download OWNER/NAME[:QUANT]')
  const [repo = '', target] = inputText.split(':')
  const loam = await host()
  const { downloads } = loam.client
  await tellWhatLeaves(loam, io, `The name ${repo}`)
  const { choices, license, gated } = await downloads.choices({ repo })
  for (const choice of choices) io.out(choiceLine(choice))
  const usual = choices.length === 1 ? choices[0] : choices.find(({ name }) => name === USUAL)
  const choice = target ?? usual?.name
  if (choice === undefined)
    throw new UsageError(
      choices.length === 0 ? `${repo} holds no GGUF files.` : `Which one? loam models download ${repo}:QUANT`,
    )
  io.note(
    `${repo}: ${license === null ? 'its licence is not stated' : `licence ${license}`}${gated ? '; its terms have to be accepted first' : ''}.`,
  )
  return follow(loam, await downloads.add({ repo, choice }), io)
}

/** `loam embedders download ID`: fetches an offered embedding model and chooses it. */
export const downloadEmbedder: Command = async ({ args, io, host }) => {
  const [, , id] = args.positionals
  const loam = await host()
  const { downloads } = loam.client
  const offers = await downloads.offers()
  const offer = offers.find((one) => one.id === id)
  if (!offer) throw new UsageError(`Which one? ${offers.map((one) => one.id).join(' or ')}`)
  await tellWhatLeaves(loam, io, `The name ${offer.repo}`)
  const ending = await follow(loam, await downloads.addEmbedder({ id: offer.id }), io)
  const { embedder } = await loam.client.app.settings()
  io.out(`Texts are compared by ${embedder} from now on. Memories are indexed anew when they are opened.`)
  return { ...ending, embedder }
}

/** `loam models gpu [KIND]`: the libraries for graphics cards, and fetching some. */
export const gpuCommand: Command = async ({ args, io, host }) => {
  const loam = await host()
  const { client } = loam
  const [, , kind] = args.positionals
  if (kind === undefined) {
    const libraries = await client.models.gpuLibraries()
    for (const { kind: name, title, about, sizeBytes, isHere } of libraries)
      io.out(`${name}  ${title}, ${fileSize(sizeBytes)}, ${isHere ? 'here' : 'not here'}. ${about}`)
    if (libraries.length === 0)
      io.note('For this system there are none: what comes with Loam is all that there is.')
    return { libraries }
  }
  const choice = gpuKindSchema.safeParse(kind)
  if (!choice.success) throw new UsageError(`Which one? loam models gpu ${gpuKindSchema.options.join('|')}`)
  const source = (await client.models.gpuLibraries()).find((one) => one.kind === choice.data)?.source
  if (source !== undefined && (await client.app.settings()).network)
    io.note(`It is fetched from ${source}. Nothing of your tasks or memory goes there.`)
  const ending = await follow(loam, await client.downloads.addGpuLibrary({ kind: choice.data }), io)
  io.note('It is used from the next start of Loam.')
  return ending
}

/** `loam models queue`: what is being downloaded, and what waits. */
export const downloadQueue: Command = async ({ io, host }) => {
  const downloads = await (await host()).client.downloads.list()
  for (const { id, title, status, doneBytes, sizeBytes, problem } of downloads)
    io.out(
      `${id}  ${status}  ${title}  ${fileSize(doneBytes)} of ${fileSize(sizeBytes)}${problem ? `  ${problem.cause}` : ''}`,
    )
  if (downloads.length === 0) io.note('Nothing is being downloaded.')
  return { downloads }
}

/** `loam models pause|resume|cancel ID`: of a download of the queue. One that is resumed here is followed to its end. */
export const steerDownload: Command = async ({ args, io, host }) => {
  const [, verb = ''] = args.positionals
  const downloadId = args.word(2, `Which one? loam models ${verb} ID; "loam models queue" lists them`)
  const loam = await host()
  const { downloads } = loam.client
  if (verb === 'resume') return follow(loam, await downloads.resume({ downloadId }), io)
  if (verb === 'pause') return downloads.pause({ downloadId })
  await downloads.cancel({ downloadId })
  io.out('It is out of the queue, and what was here of it is gone.')
  return { downloadId }
}

/** Waits for a download until it is here; one that waits for others in the queue of an open Loam is left to it. */
async function follow(loam: ReachedHost, { id, title, target }: DownloadInfo, io: ConsoleIo) {
  const find = async () => (await loam.client.downloads.list()).find((one) => one.id === id)
  const now = await find()
  if (now && now.jobId === null && loam.joined) {
    io.out(`${title} waits in the queue of the Loam that is open.`)
    return { downloadId: id, status: now.status, target }
  }
  let jobId = now?.jobId ?? null
  while (jobId === null) {
    const again = await find()
    // Done already: small ones are.
    if (!again) break
    jobId = again.jobId
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  if (jobId !== null) await followJob(loam, jobId, io)
  io.out(`${title} is at ${target}`)
  return { downloadId: id, status: 'done', target }
}
