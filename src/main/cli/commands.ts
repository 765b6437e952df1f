import { ENVIRONMENTS } from '../../core/tasks'
import { DEMO_STREAM, GENERATORS } from '../../core/tasks/generators'
import type { Declared } from './commands/command'
import { later, movedTo, one } from './commands/declare'
import { MEMORY_COMMANDS } from './memory-commands'
import { ASK_COMMANDS } from './ask-commands'
import { MODEL_COMMANDS } from './model-commands'
import { completionCommand, SHELLS } from './completion'

// Each file is read when one of its commands runs.
const importFile = () => import('./commands/import')
const kbFile = () => import('./commands/kb')
const modulesFile = () => import('./commands/modules')
const guidesFile = () => import('./commands/guides')
const softPromptsFile = () => import('./commands/soft-prompts')
const watchFile = () => import('./commands/watch')
const connectFile = () => import('./commands/connect')
const hookFile = () => import('./commands/hook')
const errorsFile = () => import('./commands/errors')
const experimentFile = () => import('./commands/experiment')
const exportFile = () => import('./commands/export')
const filesFile = () => import('./commands/files')
const listsFile = () => import('./commands/lists')
const mcpMemoryFile = () => import('./commands/mcp-memory')
const methodChoiceFile = () => import('./commands/method-choice')
const ownTasksFile = () => import('./commands/own-tasks')
const proxyFile = () => import('./commands/proxy')
const recordingsFile = () => import('./commands/recordings')
const runFile = () => import('./commands/run')
const signersFile = () => import('./commands/signers')
const keysFile = () => import('./commands/keys')
const verifyFile = () => import('./commands/verify')

/** Every command, in the order of the help. */
export const COMMANDS: readonly Declared[] = [
  ...ASK_COMMANDS,
  one(
    'run',
    undefined,
    'work through a task stream and report how it went',
    later(runFile, 'runCommand'),
    'stream method tasks seed k model memory temperature max-tokens context gpu-layers soft-prompt no-soft-prompt preset set settings allow-tools planner executor writer judge user',
  ),
  one(
    'resume',
    'RUN',
    'go on with a run that was paused or interrupted',
    later(runFile, 'resumeCommand'),
    'gpu-layers',
  ),
  one(
    'experiment',
    '[FILE|STUDY]',
    'methods, seeds and values of K side by side, with statistics',
    later(experimentFile, 'experimentCommand'),
    'stream methods streams worlds orders seeds exp tasks model baseline out resume shard temperature max-tokens context gpu-layers in-flight iterations passes retest test experiences preset set settings allow-tools planner executor writer judge user',
  ),
  one(
    'experiment recordings',
    undefined,
    'play the graded attempts of a memory without a model: what retrieval, the floor, values and beliefs make of them',
    later(recordingsFile, 'recordingsCommand'),
    'memory orders exp seed',
  ),
  one(
    'demo',
    undefined,
    `${DEMO_STREAM} without and with memory, on the demo model`,
    later(runFile, 'demoCommand'),
    'tasks seed gpu-layers',
  ),
  one(
    'soft-prompts train',
    undefined,
    "distil a memory's successes into a soft prompt",
    later(softPromptsFile, 'softPromptsCommand'),
    'memory stream model teacher student length attempts actions top-k steps rate seed backend shown fresh retry use untie dry-run out gpu-layers',
  ),
  one(
    'errors',
    'RUN [RUN2]',
    'failed tasks by class, and which of them two runs share',
    later(errorsFile, 'errorsCommand'),
    'judge gpu-layers',
  ),
  one(
    'costs',
    'RUN',
    'what its tokens were spent on, module by module',
    later(errorsFile, 'costsCommand'),
    'prompt-price completion-price',
  ),
  one('runs', undefined, 'list the runs', later(listsFile, 'runsCommand')),
  one('experiments', undefined, 'list the experiments', later(experimentFile, 'experimentsCommand')),
  one(
    'experiments merge',
    'FOLDER...',
    'put parts of one together that were played in other data folders',
    later(experimentFile, 'mergeExperimentCommand'),
  ),
  ...MODEL_COMMANDS,
  one('methods', undefined, 'list the methods', later(listsFile, 'methodsCommand')),
  one(
    'methods choice',
    undefined,
    'what asks learn by where nobody chose, and what was compared',
    later(methodChoiceFile, 'showChoice'),
  ),
  one(
    'methods choose',
    'METHOD',
    'have asks learn by a method where nobody chose',
    later(methodChoiceFile, 'chooseMethod'),
  ),
  one(
    'methods compare',
    undefined,
    'replay judged asks with several methods now',
    later(methodChoiceFile, 'compareMethods'),
  ),
  one('streams', undefined, 'list the task streams', later(listsFile, 'streamsCommand')),
  one(
    'streams show',
    'STREAM|FILE',
    'where a stream is from, how it grades, and who worked on it',
    later(listsFile, 'showStream'),
  ),
  one(
    'streams generate',
    GENERATORS.map(({ id }) => id).join('|'),
    'write a fresh world as a stream',
    later(listsFile, 'generateStream'),
    'world tasks out',
  ),
  one(
    'streams inspect',
    'FILE|FOLDER',
    'preview the tasks in a file',
    later(ownTasksFile, 'inspectRows'),
    'question answer check',
  ),
  one(
    'streams keep',
    'FILE|FOLDER',
    'keep rows as tasks of your own (docs/streams.md)',
    later(ownTasksFile, 'keepRows'),
    'title question answer check',
  ),
  one(
    'module add',
    'PATH|PACKAGE',
    'copy a method, environment, provider, format, tool server or memory kind into Loam',
    later(modulesFile, 'addModule'),
  ),
  one(
    'module list',
    undefined,
    'list modules, where they are from and which are in use',
    later(modulesFile, 'listModules'),
  ),
  one(
    'module allow',
    'NAME',
    'put a module to use; its code runs inside Loam',
    later(modulesFile, 'allowModule'),
  ),
  one('module deny', 'NAME', 'take a module out of use', later(modulesFile, 'denyModule')),
  one('module remove', 'NAME', 'delete a module', later(modulesFile, 'removeModule')),
  one(
    'conform',
    'SEAM PATH',
    'run the suite of a seam over the module in a folder',
    later(modulesFile, 'conformCommand'),
  ),
  one(
    'verify-env',
    `${ENVIRONMENTS.map(({ id }) => id).join('|')} S`,
    "play every task's own solution",
    later(verifyFile, 'verifyCommand'),
    'settings set',
  ),
  one(
    'regrade',
    'FILE',
    'grade recorded model outputs again',
    later(verifyFile, 'regradeCommand'),
    'dataset',
  ),
  one(
    'export',
    undefined,
    'write a memory as a file; without --format everything, as JSON lines; --format bundle: one signed file; --dry-run: what it would hold',
    later(exportFile, 'exportCommand'),
    'memory out replace format kinds project redact dry-run sign licence provenance since',
  ),
  one(
    'publish',
    undefined,
    'update the published copy of a memory',
    later(exportFile, 'publishCommand'),
    'memory to',
  ),
  one(
    'published',
    'QUERY',
    'search what a memory was published as',
    later(exportFile, 'publishedCommand'),
    'from k',
  ),
  one(
    'verify-bundle',
    'FILE',
    'whether a bundle is whole, and who signed it',
    later(exportFile, 'verifyBundleCommand'),
  ),
  one(
    'import',
    '[PATH...]',
    'read files, folders, patterns, bundles or what was published (--from) into a memory, recognised by content',
    later(importFile, 'importCommand'),
    'memory format kinds project on-conflict conflicts answers dry-run from',
  ),
  one('imports', undefined, 'what was imported into a memory', later(importFile, 'importsCommand'), 'memory'),
  one(
    'imports undo',
    '[ID]',
    'undo an import as a whole; without ID the last',
    later(importFile, 'undoImportCommand'),
    'memory',
  ),
  one('rollback', undefined, 'is now called "imports undo"', later(importFile, 'rollbackCommand'), 'memory'),
  ...MEMORY_COMMANDS,
  one(
    'kb import',
    'PATH...',
    'is now called "import"',
    later(importFile, 'oldImportCommand'),
    'memory format',
  ),
  one(
    'kb abstract',
    undefined,
    'have the model write experiences from imported logs',
    later(kbFile, 'kbAbstract'),
    'memory model limit tau seed gpu-layers',
  ),
  one(
    'kb search',
    'QUERY',
    'now "loam memory search QUERY --kinds experience"',
    movedTo('search QUERY --kinds experience'),
    'memory mode k alpha domains tools',
  ),
  one('kb stats', undefined, 'how many experiences there are, by origin', later(kbFile, 'kbStats'), 'memory'),
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
    later(kbFile, 'kbServe'),
    'memory port client write tokenless',
  ),
  one('kb formats', undefined, 'list the formats that can be read', later(kbFile, 'kbFormats')),
  one(
    'guides build',
    undefined,
    'write a document per concept and improve them by search',
    later(guidesFile, 'guidesBuild'),
    'stream memory model seed strategy width depth iterations lambda train eval queries concepts token-budget minutes in-flight review at-once dry-run resume gpu-layers',
  ),
  one(
    'guides accept',
    'BUILD',
    'let agents read what a build proposes',
    later(async () => ({ run: (await guidesFile()).guidesDecide(true) }), 'run'),
    'memory',
  ),
  one(
    'guides reject',
    'BUILD',
    'leave what a build proposes',
    later(async () => ({ run: (await guidesFile()).guidesDecide(false) }), 'run'),
    'memory',
  ),
  one('guides list', undefined, 'documents and builds', later(guidesFile, 'guidesList'), 'memory'),
  one(
    'mcp memory',
    undefined,
    'serve a memory to any MCP client',
    later(mcpMemoryFile, 'memoryServerCommand'),
    'memory project write hold client port calls',
  ),
  one(
    'proxy',
    undefined,
    "models in OpenAI's protocol with a memory in between, for any agent framework",
    later(proxyFile, 'proxyCommand'),
    'memory port model upstream upstream-dialect method k token-budget mode environment judge clients client context',
  ),
  one(
    'connect',
    '[NAME]',
    "put a memory into another program's own configuration; without NAME the programs",
    later(connectFile, 'connectCommand'),
    'memory project port dry-run undo no-hooks',
  ),
  one(
    'watch',
    '[on|off|now] [AGENT]',
    'agents on this machine whose sessions My memory takes in while nothing works',
    later(watchFile, 'watchCommand'),
  ),
  one(
    'hook',
    undefined,
    "what another program's own hooks run: answers the moment on standard input with what is known",
    later(hookFile, 'hookCommand'),
    'memory project client token-budget',
  ),
  one(
    'files',
    '[add|list|sync|remove|open] [FOLDER|ID]',
    'your own files as memory, in passages with where they are from',
    later(filesFile, 'filesCommand'),
    'memory project',
  ),
  one(
    'proposals',
    '[list|trace|keep|refuse|undo] [ID]',
    'what programs wrote into a memory, and what the proxy learned unasked',
    later(mcpMemoryFile, 'proposalsCommand'),
    'memory',
  ),
  one('mcp', 'SERVER', "one of Loam's tool servers for any MCP client; loam mcp --help", () =>
    Promise.resolve(null),
  ),
  one(
    'keys create',
    'NAME',
    'let another program on this machine use one memory, or one project of it',
    later(keysFile, 'keysCommand'),
    'scope memory project all-memories',
  ),
  one(
    'signers',
    '[know FINGERPRINT NAME | revoke FINGERPRINT | rotate]',
    'whose bundles are believed',
    later(signersFile, 'signersCommand'),
  ),
  one('keys list', undefined, 'list the keys', later(keysFile, 'keysCommand')),
  one('keys remove', 'NAME', 'take a key back', later(keysFile, 'keysCommand')),
  one(
    'completion',
    SHELLS.join('|'),
    'a script that completes commands and options in that shell',
    completionCommand(() => COMMANDS),
  ),
]
