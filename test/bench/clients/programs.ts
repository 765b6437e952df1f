import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { LOAM_CLI } from '../../main/cli/loam-process'

/** What the person says to every client. */
export const TEXTS = {
  task: 'Write the harbour ledger sorted by the wharf number.',
  complaint: 'That is wrong, the harbour ledger is still not sorted.',
  tool: 'Say what lies at berth 4, with your tool.',
  again: 'Write the harbour ledger sorted by the wharf number, for the northern wharf.',
}
/** What programs with a shell are told besides. */
export const HORN = 'Sound the fog horn at the western pier, with your shell.'
const MODEL = 'made-up'

/** Where a client is installed and run. */
export interface Place {
  /** Holds node_modules. */
  readonly packages: string
  /** A home and a project of the client's own. */
  readonly home: string
  readonly project: string
  readonly dataPath: string
  readonly memory: string
  readonly url: string
  readonly key: string
}

/** How a program is driven: what it is configured with, and how it is told something, anew or going on. */
interface Program {
  readonly connect: string
  readonly configFile: (place: Place) => string
  readonly prepare: (place: Place) => Promise<Readonly<Record<string, string>>>
  readonly say: (text: string, isAnew: boolean) => readonly string[]
}

export const PROGRAMS: Readonly<Record<string, Program>> = {
  'claude-code': {
    connect: 'claude-code',
    configFile: ({ project }) => join(project, '.mcp.json'),
    async prepare({ project, url, key }) {
      await mkdir(join(project, '.claude'), { recursive: true })
      await writeFile(join(project, '.claude', 'settings.local.json'), '{ "env": { "MINE": "1" } }\n')
      return {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'own-key',
        ANTHROPIC_CUSTOM_HEADERS: `x-loam-key: ${key}`,
        ANTHROPIC_MODEL: 'claude-made-up',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        ENABLE_TOOL_SEARCH: 'false',
      }
    },
    say: (text, isAnew) => [
      ...[
        'claude',
        '-p',
        text,
        '--allowedTools',
        'mcp__loam-memory__memory_list,Bash(foghorn:*)',
        '--mcp-config',
        '.mcp.json',
      ],
      ...(isAnew ? [] : ['--continue']),
    ],
  },
  codex: {
    connect: 'codex',
    configFile: ({ home }) => join(home, '.codex', 'config.toml'),
    async prepare({ home, url, key }) {
      const config = `# mine\nmodel = "${MODEL}"\nmodel_provider = "own"\n\n[model_providers.own]\nname = "own"\nbase_url = "${url}/v1"\nenv_key = "OWN_KEY"\nwire_api = "responses"\n`
      await mkdir(join(home, '.codex'), { recursive: true })
      await writeFile(join(home, '.codex', 'config.toml'), config)
      return { OWN_KEY: key, CODEX_HOME: join(home, '.codex') }
    },
    say: (text, isAnew) => [
      ...['codex', 'exec', ...(isAnew ? [] : ['resume', '--last']), '--skip-git-repo-check'],
      ...['--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust', text],
    ],
  },
  'gemini-cli': {
    connect: 'gemini-cli',
    configFile: ({ project }) => join(project, '.gemini', 'settings.json'),
    async prepare({ project, home, url, key }) {
      await mkdir(join(project, '.gemini'), { recursive: true })
      await mkdir(join(home, '.gemini'), { recursive: true })
      await writeFile(join(project, '.gemini', 'settings.json'), '{ "ui": { "hideTips": true } }\n')
      const own = {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
      }
      await writeFile(join(home, '.gemini', 'settings.json'), `${JSON.stringify(own)}\n`)
      return {
        ...{ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url, GEMINI_MODEL: 'gemini-made-up' },
        ...{ GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_SANDBOX: 'false' },
      }
    },
    say: (text, isAnew) => ['gemini', '--yolo', ...(isAnew ? [] : ['--resume', 'latest']), '-p', text],
  },
  opencode: {
    connect: 'opencode',
    configFile: ({ project }) => join(project, 'opencode.json'),
    async prepare({ project, url, key }) {
      const provider = {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${url}/v1`, apiKey: key },
        models: { [MODEL]: { name: MODEL, limit: { context: 100_000, output: 4000 } } },
      }
      const config = {
        $schema: 'https://opencode.ai/config.json',
        autoupdate: false,
        provider: { own: provider },
      }
      await writeFile(join(project, 'opencode.json'), `${JSON.stringify(config, null, 2)}\n`)
      return { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }
    },
    say: (text, isAnew) => ['opencode', 'run', '-m', `own/${MODEL}`, ...(isAnew ? [] : ['--continue']), text],
  },
  cline: {
    connect: 'cline',
    configFile: ({ home }) => join(home, '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
    async prepare({ home, url, key }) {
      const settings = { provider: 'openai-compatible', apiKey: key, model: MODEL, baseUrl: `${url}/v1` }
      const providers = { 'openai-compatible': { settings, updatedAt: '2026-11-30T00:00:00.000Z' } }
      const folder = join(home, '.cline', 'data', 'settings')
      await mkdir(folder, { recursive: true })
      const whole = { version: 1, lastUsedProvider: 'openai-compatible', modes: {}, providers }
      await writeFile(join(folder, 'providers.json'), JSON.stringify(whole))
      await writeFile(join(folder, 'cline_mcp_settings.json'), '{\n  "mcpServers": {}\n}\n')
      return {}
    },
    // A session is gone on with at a terminal alone, so that its complaint stands in a conversation of its own.
    say: (text) => ['cline', text],
  },
  continue: {
    connect: 'continue',
    configFile: ({ project }) => join(project, '.continue', 'mcpServers', 'loam-memory.yaml'),
    async prepare({ home, url, key }) {
      const config = `name: Mine\nversion: 0.0.1\nschema: v1\n# mine\nmodels:\n  - name: own\n    provider: openai\n    model: ${MODEL}\n    apiBase: ${url}/v1\n    apiKey: ${key}\n    roles: [chat]\n`
      await mkdir(join(home, '.continue'), { recursive: true })
      await writeFile(join(home, '.continue', 'config.yaml'), config)
      return { CONTINUE_TELEMETRY_ENABLED: '0' }
    },
    say: (text, isAnew) => ['cn', '--auto', ...(isAnew ? [] : ['--resume']), '-p', text],
  },
}

/** Runs a program to its end. @throws where it fails or takes more than two minutes */
export async function play(command: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000)
  const code = await new Promise<number | null>((done) => child.on('close', done))
  clearTimeout(timer)
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${(err + out).slice(-1500)}`)
  return out
}

const environmentOf = ({ packages, home }: Place): Record<string, string> => ({
  PATH: `${join(packages, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`,
  HOME: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_DATA_HOME: join(home, '.local', 'share'),
  NO_COLOR: '1',
})

const LOAM = LOAM_CLI.map((part) =>
  part === 'tsx' ? resolve('node_modules/tsx/dist/loader.mjs') : part.startsWith('-') ? part : resolve(part),
)
const TSX = { TSX_TSCONFIG_PATH: resolve('tsconfig.json') }

/** Connects a program, has it work and takes the connection back. */
export async function playProgram(name: string, place: Place) {
  const program = PROGRAMS[name]
  if (!program) throw new RangeError(name)
  const env = { ...environmentOf(place), ...(await program.prepare(place)), ...TSX }
  const loam = (...args: string[]) =>
    play([process.execPath, ...LOAM, ...args, '--data', place.dataPath], place.project, env)
  const before = await filesIn(place, program)
  await loam('connect', program.connect, '--memory', place.memory)
  const withLoam = await readFile(program.configFile(place), 'utf8')
  const replies: string[] = []
  for (const [text, isAnew] of [
    [TEXTS.task, true],
    [TEXTS.complaint, false],
    [TEXTS.tool, true],
    [TEXTS.again, true],
    [HORN, true],
  ] as const)
    replies.push((await play(program.say(text, isAnew), place.project, env)).trim())
  await loam('connect', program.connect, '--undo')
  const after = await filesIn(place, program)
  const isUndone = [...before].every(([path, text]) => after.get(path) === text) && !after.has('.mcp.json')
  return { replies, isConnected: withLoam.includes('loam-memory'), isUndone }
}

/** The files of the project and the configuration that lies in the home. */
async function filesIn(place: Place, { configFile }: Program): Promise<Map<string, string>> {
  const { project, home } = place
  const own = await readFile(configFile(place), 'utf8').catch(() => null)
  const files = new Map(own === null ? [] : [[configFile(place), own]])
  const folders = [
    project,
    ...['.claude', '.gemini'].map((name) => join(project, name)),
    join(home, '.codex'),
    join(project, '.continue', 'mcpServers'),
  ]
  for (const folder of folders)
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => []))
      if (entry.isFile() && /\.(?:jsonc?|toml|yaml)$/.test(entry.name))
        files.set(entry.name, await readFile(join(folder, entry.name), 'utf8'))
  return files
}

/** Has a library talk, in a process of its own. */
export async function playLibrary(name: string, place: Place) {
  const script = join(place.packages, 'loam-agents.mjs')
  await writeFile(script, await readFile(join('test', 'bench', 'clients', 'agents.mjs'), 'utf8'))
  const env = { ...environmentOf(place), BASE: place.url, KEY: place.key, TEXTS: JSON.stringify(TEXTS) }
  const out = await play([process.execPath, script, name], place.project, env)
  return { replies: JSON.parse(out.trim().split('\n').at(-1) ?? '[]') as string[] }
}

/** The first message of each conversation of `signs.mjs`, by the sign that it should leave. */
export const SIGNS = {
  'sent-again': 'Draw up the pilot roster for Monday.',
  interrupted: 'Describe every ship of the fleet.',
  branched: 'List the tugs of the inner basin.',
  'cut-off': 'Explain the lock gates to a visitor.',
  'out-of-form': 'Count the ships in the roads.',
} as const

/** Has a library do what people do with answers. */
export async function playSigns(name: string, place: Place) {
  const script = join(place.packages, 'loam-signs.mjs')
  await writeFile(script, await readFile(join('test', 'bench', 'clients', 'signs.mjs'), 'utf8'))
  const env = { ...environmentOf(place), BASE: place.url, KEY: place.key, SIGNS: JSON.stringify(SIGNS) }
  await play([process.execPath, script, name], place.project, env)
}
