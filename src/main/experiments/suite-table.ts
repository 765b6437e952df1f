import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExperimentInfo } from '../../shared/domain/experiment'
import type { SuiteReport, SuiteRow } from '../../shared/domain/suite'
import { diskError, replaceFile, replaceJson } from '../ground/atomic-file'
import { studyText } from './study-file'
import { markdownTable, type TextTable } from './report-table'

const rate = (value: number | null): string => (value === null ? '' : value.toFixed(3))
const signed = (value: number | null): string =>
  value === null ? '' : `${value > 0 ? '+' : ''}${value.toFixed(3)}`
const whole = (value: number | null): string => (value === null ? '' : String(Math.round(value)))
const interval = (low: number | null, high: number | null): string =>
  low === null || high === null ? '' : ` [${rate(low)}, ${rate(high)}]`

const meanText = ({ mean, low, high }: Pick<SuiteRow, 'mean' | 'low' | 'high'>): string =>
  `${rate(mean)}${interval(low, high)}`

/** One line per method: the mean over the suite, and its mean on each stream. */
export function suiteGrid({ methods, streams, summary, suite }: SuiteReport): TextTable {
  const played = methods.filter((method) => summary.some((row) => row.method === method))
  const meanOf = (method: string): number => suite.find((one) => one.method === method)?.mean ?? -1
  return [
    ['method', 'suite [95 % CI]', 'n', ...streams.map(({ id }) => id)],
    ...[...played]
      .sort((a, b) => meanOf(b) - meanOf(a))
      .map((method) => {
        const own = suite.find((one) => one.method === method)
        return [
          method,
          own ? meanText(own) : '',
          own && own.n > 0 ? String(own.n) : '',
          ...streams.map(({ id }) =>
            rate(summary.find((row) => row.stream === id && row.method === method)?.mean ?? null),
          ),
        ]
      }),
  ]
}

/** One line per stream and method with every figure; what a stream has no figure for is left empty. */
export function lifeTable({ summary, streams }: SuiteReport): TextTable {
  return [
    [
      'stream',
      'method',
      'n',
      'success [95 % CI]',
      'last',
      'forgetting',
      'forward',
      'backward',
      'adaptation',
      'damage',
      'tokens/task',
    ],
    ...streams.flatMap(({ id }) =>
      summary
        .filter(({ stream }) => stream === id)
        .map((row) => [
          row.stream,
          row.method,
          `${row.n} ${row.n === 1 ? row.over.slice(0, -1) : row.over}`,
          meanText(row),
          rate(row.last),
          signed(row.forgetting),
          signed(row.forwardTransfer),
          signed(row.backwardTransfer),
          whole(row.adaptation),
          signed(row.damage),
          whole(row.tokensPerTask),
        ]),
    ),
  ]
}

/** Writes a suite as people keep it: `experiment.yaml`, `report.json` with every life, and `report.md`. */
export async function writeSuite(
  folder: string,
  report: SuiteReport,
  { definition }: Pick<ExperimentInfo, 'definition'>,
): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    throw diskError(error, folder)
  }
  const text = [
    `# ${report.name}`,
    '',
    ...markdownTable(suiteGrid(report)),
    '',
    ...markdownTable(lifeTable(report)),
    '',
    ...report.notes.map((line) => `- ${line}`),
    '',
  ].join('\n')
  await replaceFile(join(folder, 'experiment.yaml'), studyText(definition))
  await replaceFile(join(folder, 'report.md'), text)
  await replaceJson(join(folder, 'report.json'), report)
}
