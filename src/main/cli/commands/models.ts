import { GENERATORS } from '../../../core/tasks/generators'
import { changedPromptsText, type ModelInfo } from '../../../shared/domain/model'
import { fileSize } from '../console-io'
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
  for (const { name, contextSize } of resources)
    io.out(`Loaded: ${name}, with ${contextSize} tokens of context`)
  if (models.length === 0)
    io.note('No GGUF files were found. Name folders with models in the settings, or use --model.')
  return { models, places, loaded: resources, registry: await client.models.registry() }
}
