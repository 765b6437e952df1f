import { resolve } from 'node:path'
import { readReference } from '../../ground/model-reference'
import { isGguf } from '../../embedders/gguf-embedder'
import { fileSize } from '../console-io'
import type { Command } from './command'

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
