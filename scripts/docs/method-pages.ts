import type { SettingGroupInfo } from '../../src/shared/domain/setting'
import { allowedWords, type SettingField } from '../../src/shared/domain/setting'
import type { MethodPreset, PresetBenchmark } from '../../src/shared/domain/preset'
import type { PaperClaim, PaperDifference } from '../../src/core/ground/paper-notes'
import { groupInfo, type SettingGroup } from '../../src/core/ground/settings'
import { presetsOf, type Method } from '../../src/core/ground/method'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
const table = (head: readonly string[], rows: readonly string[]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows].join('\n')
const valueWords = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : value === '' ? '(empty)' : String(value)
const normalOf = ({ default: normal }: SettingField): string => valueWords(normal)

/** Settings of a group as a Markdown table. */
const settingTable = ({ id, fields }: SettingGroupInfo): string =>
  table(
    ['Setting', 'What it does', 'Default', 'May be', 'Source'],
    fields.map((field) =>
      row(
        `\`${id}.${field.key}\``,
        `${field.title}. ${field.help}`,
        normalOf(field),
        allowedWords(field),
        field.source ?? '',
      ),
    ),
  )

const PLACES = {
  first: 'ahead of everything',
  system: 'behind the system prompt',
  task: 'before the task',
  round: 'after a round',
} as const

const WRITTEN = 'Written by `npm run docs` from the methods themselves.'

/** What a preset or a benchmark of it sets: `K 4, temperature 1, agent.maxCycles 3`. */
function presetWords({ k, temperature, maxTokens, contextSize, settings }: MethodPreset | PresetBenchmark) {
  const own = Object.entries(settings ?? {}).flatMap(([id, changes]) =>
    Object.entries(changes).map(([key, value]) => `\`${id}.${key}\` ${valueWords(value)}`),
  )
  const numbers = [
    ...(k === undefined ? [] : [`K ${k}`]),
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
    ...(maxTokens === undefined ? [] : [`replies of ${maxTokens} tokens at most`]),
    ...(contextSize === undefined ? [] : [`context ${contextSize} tokens, as far as the model reads`]),
  ]
  return [...numbers, ...own].join(', ') || 'the defaults'
}

const presetTable = (presets: readonly MethodPreset[]): string =>
  table(
    ['Preset', 'What it is', 'Tasks', 'Sets', 'Source'],
    presets.flatMap((preset) => [
      row(`\`${preset.id}\``, preset.title, 'all', presetWords(preset), preset.source),
      ...preset.benchmarks.map((each) =>
        row(`\`${preset.id}/${each.id}\``, each.title, each.environment, presetWords(each), each.source),
      ),
    ]),
  )

/** A file of the repository as a link from `docs/methods`. */
const fileLink = (path: string): string => `[${path.replace(/^src\//, '')}](../../${path})`

const differenceTable = (differences: readonly PaperDifference[]): string =>
  table(
    ['Paper', 'What', 'In code', 'What differs', 'Why'],
    differences.map(({ at, what, where, differs, why }) =>
      row(at, what, where.map(fileLink).join(', '), differs ?? 'nothing', why ?? ''),
    ),
  )

function seenWords({ here, tuned, notRun, results, study }: PaperClaim): string {
  const links = [
    ...(results === undefined ? [] : [`[figures](../../${results})`]),
    ...(study === undefined ? [] : [`\`loam experiment ${study}\``]),
  ]
  const sentences = [
    here?.replace(/\.$/, ''),
    tuned && `Tuned: ${tuned}`,
    notRun && `Not run: ${notRun}`,
  ].flatMap((one) => one ?? [])
  const words = sentences.length === 1 && notRun === undefined ? [here] : sentences.map((one) => `${one}.`)
  return `${words.join(' ')}${links.length === 0 ? '' : ` (${links.join(', ')})`}`
}

/** docs/methods/claims.md: every method, what its paper claims, and what was seen here. */
const claimsDocument = (methods: readonly Method[]): string =>
  `${[
    '# What the papers claim, and what was seen here',
    `${WRITTEN} Figures are in percent solved unless they say otherwise.`,
    table(
      ['Method', 'Paper', 'Claim', 'Here'],
      methods.flatMap(({ info, paper }) =>
        (paper?.claims ?? []).map((claim) =>
          row(`[${info.id}](${info.id}.md)`, claim.at, claim.claim, seenWords(claim)),
        ),
      ),
    ),
  ].join('\n\n')}\n`

/** docs/methods/<id>.md: one method's words, settings, presets, and how it differs from its paper. */
function methodPage(method: Method): string {
  const { info, settings, paper } = method
  const presets = presetsOf(method)
  const claims = paper?.claims ?? []
  return `${[
    `# ${info.title} (\`${info.id}\`)`,
    WRITTEN,
    `${info.description} Source: ${info.source}.${info.usesK ? ` K is ${info.defaultK} unless it is set.` : ''}`,
    ...(settings ? ['## Settings', settingTable(groupInfo(settings))] : []),
    ...(paper
      ? [
          '## Presets',
          'Chosen in the window’s forms, with `--preset NAME`, or as `preset: NAME` of a method in a definition. What is given beside one goes over it; the first one of an environment counts unless another is named. A run’s record keeps its name; the run’s head, its curves and an experiment’s report say it, the head also what was set otherwise.',
          presetTable(presets),
          '## Held against the paper',
          differenceTable(paper.differences),
        ]
      : []),
    ...(claims.length > 0
      ? [
          '## What the paper claims',
          table(
            ['Paper', 'Claim', 'Here'],
            claims.map((claim) => row(claim.at, claim.claim, seenWords(claim))),
          ),
        ]
      : []),
  ].join('\n\n')}\n`
}

/** docs/methods.md: what every method keeps and recalls, and every setting of a run that is not a method's own. */
function methodsDocument(methods: readonly Method[], others: readonly SettingGroup[]): string {
  const recalls = methods.flatMap(({ info }) =>
    info.recalls.map(({ kind, what, place }) => row(`\`${info.id}\``, kind, what, PLACES[place])),
  )
  const rest = others.flatMap((group) => [
    `### ${group.title} (\`${group.id}\`)`,
    settingTable(groupInfo(group)),
  ])
  return `${[
    '# Methods and settings',
    WRITTEN,
    'Settings are changed in the window’s forms, with `--set group.key=value`, or in a definition under `settings`. Each method’s own settings, presets and differences from its paper are on its page; [claims](methods/claims.md) holds what the papers claim against what was seen here.',
    '## What each keeps',
    table(
      ['Method', 'Title', 'Keeps', 'K', 'Source'],
      methods.map(({ info }) =>
        row(
          `[\`${info.id}\`](methods/${info.id}.md)`,
          `${info.title}. ${info.description}`,
          info.keeps.join(', ') || 'attempts only',
          info.usesK ? String(info.defaultK) : 'none',
          info.source,
        ),
      ),
    ),
    '## What each recalls',
    table(['Method', 'Kind', 'What of it', 'Where'], recalls),
    '## Other settings of a run',
    ...rest,
  ].join('\n\n')}\n`
}

/** Every page that is written from the methods, by its path below `docs`. */
export const methodDocuments = (
  methods: readonly Method[],
  others: readonly SettingGroup[],
): ReadonlyMap<string, string> =>
  new Map([
    ['methods.md', methodsDocument(methods, others)],
    ['methods/claims.md', claimsDocument(methods)],
    ...methods.map((method) => [`methods/${method.info.id}.md`, methodPage(method)] as const),
  ])
