import type { Declared } from './commands/command'
import { later, one } from './commands/declare'

// Each file is read when one of its commands runs.
const downloadsFile = () => import('./commands/downloads')
const modelsFile = () => import('./commands/models')
const serversFile = () => import('./commands/servers')

/** Commands about models, the servers that have some, and what texts are compared by. */
export const MODEL_COMMANDS: readonly Declared[] = [
  one(
    'models',
    undefined,
    'list the models, where they were found, and what was left out',
    later(modelsFile, 'modelsCommand'),
  ),
  one(
    'models add',
    'PATH',
    'list a model file, or a folder of them, where it lies',
    later(modelsFile, 'addModel'),
  ),
  one('models forget', 'PATH', 'list an added file or folder no more', later(modelsFile, 'forgetModel')),
  one(
    'models advise',
    undefined,
    'say what this machine has for models, and which suit it',
    later(modelsFile, 'adviseModel'),
    'again',
  ),
  one(
    'models gpu',
    '[cuda|vulkan]',
    'list the libraries for graphics cards, or fetch some; needs the network',
    later(downloadsFile, 'gpuCommand'),
  ),
  one(
    'models measure',
    'MODEL',
    'find out how a model reads memory best, and what it can do',
    later(modelsFile, 'measureModel'),
  ),
  one(
    'models search',
    'NAME',
    'ask the hub for models by name; needs the network',
    later(downloadsFile, 'searchModels'),
  ),
  one(
    'models download',
    'REPO[:QUANT]',
    'fetch a model from the hub; needs the network',
    later(downloadsFile, 'downloadModel'),
  ),
  one('models queue', undefined, 'list the downloads', later(downloadsFile, 'downloadQueue')),
  one('models pause', 'ID', 'let a download rest', later(downloadsFile, 'steerDownload')),
  one('models resume', 'ID', 'let a download go on', later(downloadsFile, 'steerDownload')),
  one('models cancel', 'ID', 'take a download out of the queue', later(downloadsFile, 'steerDownload')),
  one(
    'servers add',
    'NAME',
    'a model server (Ollama, LM Studio, llama-server, vLLM, ...) by a name of your own',
    later(serversFile, 'addServer'),
    'url provider',
  ),
  one(
    'servers password',
    'ADDRESS',
    "keep a database server's password (--key-env)",
    later(serversFile, 'keepServerPassword'),
  ),
  one('servers list', undefined, 'list the model servers', later(serversFile, 'listServers')),
  one('servers remove', 'NAME', 'forget a model server and its key', later(serversFile, 'removeServer')),
  {
    ...one(
      'servers test',
      'NAME',
      'ask a model server what it has',
      later(serversFile, 'testServer'),
      'model',
    ),
    servedModel: true,
  },
  one(
    'embedders',
    undefined,
    'list what texts can be compared by',
    later(downloadsFile, 'listOfferedEmbedders'),
  ),
  one(
    'embedders use',
    'ID',
    "compare texts by it: a name, a folder, a GGUF file, or PROVIDER:NAME@PLACE for a server's model",
    later(downloadsFile, 'chooseEmbedder'),
  ),
  one(
    'embedders download',
    'ID',
    'fetch a small embedding model and choose it; needs the network',
    later(downloadsFile, 'downloadEmbedder'),
  ),
]
