import type { AskPermission } from '../../core/agent/tool-permission'
import { LoamError } from '../../shared/errors'
import type { HouseServices } from '../mcp/house-requests'
import { readReference } from '../ground/model-reference'
import type { Host } from '../host/host'
import { openToolServers, type ToolServers } from './tool-servers'

/** What the house does for its own servers: it compares texts by the encoder that is chosen, and asks a model that sees or hears. */
const servicesOf = (host: Host): HouseServices => ({
  embed: async (texts, signal) => (await host.embedder()).embed(texts, { signal }),
  async describe(media, question, signal) {
    const choice = host.settings().tools.captionModel
    if (choice === null)
      throw new LoamError('NOT_FOUND', `No model that takes ${MEDIA_WORDS[media.kind]} is chosen.`, {
        suggestion: 'Choose one of a model server in the settings of the tools.',
      })
    // A GGUF would take the place of the model that is at work; llama.cpp as it is built here takes no pictures either.
    if (readReference(choice) === null)
      throw new LoamError(
        'BAD_INPUT',
        `${choice} is a file, and those take no ${MEDIA_WORDS[media.kind]} here.`,
        {
          suggestion: 'Choose a model of a server that speaks OpenAI’s protocol.',
        },
      )
    const model = await host.loadModel(choice, { signal })
    if (!model.describe)
      throw new LoamError('BAD_INPUT', `${model.name} takes no ${MEDIA_WORDS[media.kind]}.`, {
        suggestion: 'Choose another model in the settings of the tools.',
      })
    return (await model.describe(media, question, { signal })).text
  },
})

const MEDIA_WORDS = { image: 'pictures', audio: 'recordings', video: 'films' } as const

/** The tool servers of a host: Loam's own and the person's. */
export const openTools = (host: Host): ToolServers => {
  const { data, resources, settings, saveSettings, logger, credentials } = host
  return openToolServers({
    dataPath: data.path,
    version: resources.version,
    settings,
    saveSettings,
    logger,
    credentials,
    house: servicesOf(host),
  })
}

/** Who is asked before a tool is used. Nobody watches a host in memory, so nobody could answer: there it is no. */
export const askerOf =
  ({ options }: Host, tools: ToolServers) =>
  (from: string): AskPermission =>
    options.host === 'memory' ? () => Promise.resolve('no') : tools.permissions.askerFor(from)
