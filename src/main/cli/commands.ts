import { askCommand } from './commands/ask'
import { asksCommand, judgeAsk, showAsk } from './commands/asks'
import {
  importCommand,
  importsCommand,
  oldImportCommand,
  rollbackCommand,
  undoImportCommand,
} from './commands/import'
import { kbAbstract, kbFormats, kbServe, kbStats, movedTo } from './commands/kb'
import { memoriesCommand, newMemory } from './commands/memories'
import { memoryCommand } from './commands/memory'
import { decideCommand, mineCommand, takeCommand, takesCommand, untakeCommand } from './commands/my-memory'
import {
  addModule,
  allowModule,
  conformCommand,
  denyModule,
  listModules,
  removeModule,
} from './commands/modules'
import { ENVIRONMENTS } from '../../core/tasks'
import { DEMO_STREAM, GENERATORS } from '../../core/tasks/generators'
import type { OptionName, OptionNames } from './options'
import { guidesBuild, guidesDecide, guidesList } from './commands/guides'
import type { Command, Declared } from './commands/command'
import { addServer, keepServerPassword, listServers, removeServer, testServer } from './commands/servers'
import { softPromptsCommand } from './commands/soft-prompts'
import {
  downloadEmbedder,
  downloadModel,
  downloadQueue,
  searchModels,
  steerDownload,
  chooseEmbedder,
  listOfferedEmbedders,
} from './commands/downloads'
import { connectCommand } from './commands/connect'
import { errorsCommand, costsCommand } from './commands/errors'
import { experimentCommand, experimentsCommand, mergeExperimentCommand } from './commands/experiment'
import { exportCommand, verifyBundleCommand, publishCommand, publishedCommand } from './commands/export'
import { filesCommand } from './commands/files'
import { generateStream, methodsCommand, runsCommand, showStream, streamsCommand } from './commands/lists'
import { memoryServerCommand, proposalsCommand } from './commands/mcp-memory'
import { adviseModel, measureModel, modelsCommand } from './commands/models'
import { inspectRows, keepRows } from './commands/own-tasks'
import { proxyCommand } from './commands/proxy'
import { resumeCommand, runCommand, demoCommand } from './commands/run'
import { storageCommand } from './commands/storage'
import { keysCommand } from './commands/keys'
import { regradeCommand, verifyCommand } from './commands/verify'
import { completionCommand, SHELLS } from './completion'

/** A command by its words, what follows them, a sentence about it, what does it, and its options with a space between them. */
const one = <Options extends string = ''>(
  words: string,
  args: string | undefined,
  about: string,
  run: Command,
  options?: Options & OptionNames<Options>,
): Declared => ({
  words,
  ...(args !== undefined && { args }),
  about,
  options: (options?.split(' ') ?? []) as OptionName[],
  run,
})

const ITEM = 'KIND ID'
const KEPT = 'memory|run|experiment ID'

/** Every command, in the order of the help. */
export const COMMANDS: readonly Declared[] = [
  one(
    'ask',
    'TASK',
    'have one task done with what a memory knows; in the world of a task with --stream',
    askCommand,
    'memory project model file tools plan method k no-memory no-own-files stream task in continue gpu-layers',
  ),
  one('asks', '[WORDS]', 'list the asks, or those that hold some words', asksCommand),
  one('asks show', 'ID', 'what was said in an ask, with every try', showAsk),
  one(
    'asks judge',
    'ID [right|partly|wrong]',
    'say whether an answer was right, and learn from it; without a verdict the model of the ask judges',
    judgeAsk,
    'try correct wrong-at because',
  ),
  one(
    'run',
    undefined,
    'work through a task stream and report how it went',
    runCommand,
    'stream method tasks seed k model memory temperature max-tokens context gpu-layers soft-prompt no-soft-prompt preset set settings allow-tools planner executor writer judge user',
  ),
  one('resume', 'RUN', 'go on with a run that was paused or interrupted', resumeCommand, 'gpu-layers'),
  one(
    'experiment',
    '[FILE|STUDY]',
    'methods, seeds and values of K side by side, with statistics',
    experimentCommand,
    'stream methods streams worlds orders seeds exp tasks model baseline out resume shard temperature max-tokens context gpu-layers in-flight iterations passes retest test experiences preset set settings allow-tools planner executor writer judge user',
  ),
  one(
    'demo',
    undefined,
    `${DEMO_STREAM} without and with memory, on the demo model`,
    demoCommand,
    'tasks seed gpu-layers',
  ),
  one(
    'soft-prompts train',
    undefined,
    "distil a memory's successes into a soft prompt",
    softPromptsCommand,
    'memory stream model teacher student length attempts actions top-k steps rate seed backend shown fresh retry use untie dry-run out gpu-layers',
  ),
  one(
    'errors',
    'RUN [RUN2]',
    'failed tasks by class, and which of them two runs share',
    errorsCommand,
    'judge gpu-layers',
  ),
  one(
    'costs',
    'RUN',
    'what its tokens were spent on, module by module',
    costsCommand,
    'prompt-price completion-price',
  ),
  one('runs', undefined, 'list the runs', runsCommand),
  one('experiments', undefined, 'list the experiments', experimentsCommand),
  one(
    'experiments merge',
    'FOLDER...',
    'put parts of one together that were played in other data folders',
    mergeExperimentCommand,
  ),
  one('models', undefined, 'list the models, where they were found, and what was left out', modelsCommand),
  one('models advise', undefined, 'say what this machine has for models, and which suit it', adviseModel),
  one('models measure', 'MODEL', 'find out how a model reads memory best, and what it can do', measureModel),
  one('models search', 'NAME', 'ask the hub for models by name; needs the network', searchModels),
  one('models download', 'REPO[:QUANT]', 'fetch a model from the hub; needs the network', downloadModel),
  one('models queue', undefined, 'list the downloads', downloadQueue),
  one('models pause', 'ID', 'let a download rest', steerDownload),
  one('models resume', 'ID', 'let a download go on', steerDownload),
  one('models cancel', 'ID', 'take a download out of the queue', steerDownload),
  one('methods', undefined, 'list the methods', methodsCommand),
  one('streams', undefined, 'list the task streams', streamsCommand),
  one(
    'streams show',
    'STREAM|FILE',
    'where a stream is from, how it grades, and who worked on it',
    showStream,
  ),
  one(
    'streams generate',
    GENERATORS.map(({ id }) => id).join('|'),
    'write a fresh world as a stream',
    generateStream,
    'world tasks out',
  ),
  one('streams inspect', 'FILE|FOLDER', 'preview the tasks in a file', inspectRows, 'question answer check'),
  one(
    'streams keep',
    'FILE|FOLDER',
    'keep rows as tasks of your own (docs/streams.md)',
    keepRows,
    'title question answer check',
  ),
  one(
    'module add',
    'PATH|PACKAGE',
    'copy a method, environment, provider, format, tool server or memory kind into Loam',
    addModule,
  ),
  one('module list', undefined, 'list modules, where they are from and which are in use', listModules),
  one('module allow', 'NAME', 'put a module to use; its code runs inside Loam', allowModule),
  one('module deny', 'NAME', 'take a module out of use', denyModule),
  one('module remove', 'NAME', 'delete a module', removeModule),
  one('conform', 'SEAM PATH', 'run the suite of a seam over the module in a folder', conformCommand),
  one(
    'servers add',
    'NAME',
    'a model server (Ollama, LM Studio, llama-server, vLLM, ...) by a name of your own',
    addServer,
    'url provider',
  ),
  one('servers password', 'ADDRESS', "keep a database server's password (--key-env)", keepServerPassword),
  one('servers list', undefined, 'list the model servers', listServers),
  one('servers remove', 'NAME', 'forget a model server and its key', removeServer),
  {
    ...one('servers test', 'NAME', 'ask a model server what it has', testServer, 'model'),
    servedModel: true,
  },
  one('embedders', undefined, 'list what texts can be compared by', listOfferedEmbedders),
  one(
    'embedders use',
    'ID',
    "compare texts by it: a name, a folder, a GGUF file, or PROVIDER:NAME@PLACE for a server's model",
    chooseEmbedder,
  ),
  one(
    'embedders download',
    'ID',
    'fetch a small embedding model and choose it; needs the network',
    downloadEmbedder,
  ),
  one(
    'verify-env',
    `${ENVIRONMENTS.map(({ id }) => id).join('|')} S`,
    "play every task's own solution",
    verifyCommand,
    'settings set',
  ),
  one('regrade', 'FILE', 'grade recorded model outputs again', regradeCommand, 'dataset'),
  one(
    'export',
    undefined,
    'write a memory as a file; without --format everything, as JSON lines; --format bundle: one signed file; --dry-run: what it would hold',
    exportCommand,
    'memory out replace format kinds project redact dry-run sign licence provenance since',
  ),
  one('publish', undefined, 'update the published copy of a memory', publishCommand, 'memory to'),
  one('published', 'QUERY', 'search what a memory was published as', publishedCommand, 'from k'),
  one('verify-bundle', 'FILE', 'whether a bundle is whole, and who signed it', verifyBundleCommand),
  one(
    'import',
    '[PATH...]',
    'read files, folders, patterns, bundles or what was published (--from) into a memory, recognised by content',
    importCommand,
    'memory format kinds on-conflict conflicts answers dry-run from',
  ),
  one('imports', undefined, 'what was imported into a memory', importsCommand, 'memory'),
  one('imports undo', '[ID]', 'undo an import as a whole; without ID the last', undoImportCommand, 'memory'),
  one('rollback', undefined, 'is now called "imports undo"', rollbackCommand, 'memory'),
  one('memories', undefined, 'list the memories of the data folder', memoriesCommand),
  one('memories new', 'NAME', 'make an empty memory', newMemory),
  one('memory list', '[KIND]', 'what a memory remembers, of every kind', memoryCommand, 'memory limit'),
  one(
    'memory search',
    'QUERY',
    'items that fit a text, best first; --set FACET=LABEL narrows it',
    memoryCommand,
    'memory kinds mode k alpha set',
  ),
  one('memory show', ITEM, 'one item in full', memoryCommand, 'memory'),
  one(
    'memory add',
    'KIND',
    'write an item by hand (--set statement=TEXT)',
    memoryCommand,
    'memory set project',
  ),
  one('memory edit', ITEM, 'change fields of an item', memoryCommand, 'memory set'),
  one('memory pin', ITEM, 'recall it before others', memoryCommand, 'memory'),
  one('memory mute', ITEM, 'recall it no more', memoryCommand, 'memory'),
  one('memory unmark', ITEM, 'take pin or mute back', memoryCommand, 'memory'),
  one('memory delete', ITEM, 'delete it; nothing is erased', memoryCommand, 'memory'),
  one('memory restore', ITEM, 'make it live again', memoryCommand, 'memory'),
  one('memory history', ITEM, 'how it read before, and what it replaced', memoryCommand, 'memory'),
  one('memory move', ITEM, 'put it into another memory (--to DIR)', memoryCommand, 'memory to copy'),
  one('memory mine', undefined, 'My memory, and what is still to be said about it', mineCommand),
  one('memory decide', 'ID', 'say which memory is yours, where Loam cannot know', decideCommand),
  one(
    'memory take',
    'ID',
    'take items of a lab memory into My memory; --dry-run says what that brings',
    takeCommand,
    'kinds project dry-run',
  ),
  one('memory takes', undefined, 'what was taken into My memory', takesCommand),
  one('memory untake', 'TAKE-ID', 'take out again what a taking brought', untakeCommand),
  one(
    'storage use',
    undefined,
    'what memories, runs, experiments and the trash take on disk',
    storageCommand,
  ),
  one('storage rename', `${KEPT} NAME`, 'give another name', storageCommand),
  one('storage remove', KEPT, 'throw into the trash', storageCommand),
  one('storage trash', undefined, 'what is in the trash', storageCommand),
  one('storage restore', 'TRASH-ID', 'put back from the trash', storageCommand),
  one('storage empty', '[TRASH-ID]', 'delete for good what is in the trash', storageCommand),
  one(
    'storage repair',
    'SPACE-ID',
    'make a damaged memory one that opens, from what is whole',
    storageCommand,
  ),
  one('kb import', 'PATH...', 'is now called "import"', oldImportCommand, 'memory format'),
  one(
    'kb abstract',
    undefined,
    'have the model write experiences from imported logs',
    kbAbstract,
    'memory model limit tau seed gpu-layers',
  ),
  one(
    'kb search',
    'QUERY',
    'now "loam memory search QUERY --kinds experience"',
    movedTo('search QUERY --kinds experience'),
    'memory mode k alpha domains tools',
  ),
  one('kb stats', undefined, 'how many experiences there are, by origin', kbStats, 'memory'),
  one(
    'kb restore',
    'ID',
    'now "loam memory restore experience ID"',
    movedTo('restore experience ID'),
    'memory',
  ),
  one(
    'kb serve',
    undefined,
    "serve a memory's experiences in Agent KB's own protocol on 127.0.0.1",
    kbServe,
    'memory port client write tokenless',
  ),
  one('kb formats', undefined, 'list the formats that can be read', kbFormats),
  one(
    'guides build',
    undefined,
    'write a document per concept and improve them by search',
    guidesBuild,
    'stream memory model seed strategy width depth iterations lambda train eval queries concepts token-budget minutes in-flight review at-once dry-run resume gpu-layers',
  ),
  one('guides accept', 'BUILD', 'let agents read what a build proposes', guidesDecide(true), 'memory'),
  one('guides reject', 'BUILD', 'leave what a build proposes', guidesDecide(false), 'memory'),
  one('guides list', undefined, 'documents and builds', guidesList, 'memory'),
  one(
    'mcp memory',
    undefined,
    'serve a memory to any MCP client',
    memoryServerCommand,
    'memory project write hold client port calls',
  ),
  one(
    'proxy',
    undefined,
    "models in OpenAI's protocol with a memory in between, for any agent framework",
    proxyCommand,
    'memory port model upstream upstream-dialect method k token-budget mode environment judge clients client context',
  ),
  one(
    'connect',
    '[NAME]',
    "put a memory into another program's own configuration; without NAME the programs",
    connectCommand,
    'memory project dry-run undo',
  ),
  one(
    'files',
    '[add|list|sync|remove|open] [FOLDER|ID]',
    'your own files as memory, in passages with where they are from',
    filesCommand,
    'memory',
  ),
  one(
    'proposals',
    '[list|trace|keep|refuse|undo] [ID]',
    'what programs wrote into a memory, and what the proxy learned unasked',
    proposalsCommand,
    'memory',
  ),
  one('mcp', 'SERVER', "one of Loam's tool servers for any MCP client; loam mcp --help", () =>
    Promise.resolve(null),
  ),
  one(
    'keys create',
    'NAME',
    'let another program on this machine use one memory, or one project of it',
    keysCommand,
    'scope memory project all-memories',
  ),
  one('keys list', undefined, 'list the keys', keysCommand),
  one('keys remove', 'NAME', 'take a key back', keysCommand),
  one(
    'completion',
    SHELLS.join('|'),
    'a script that completes commands and options in that shell',
    completionCommand(() => COMMANDS),
  ),
]
