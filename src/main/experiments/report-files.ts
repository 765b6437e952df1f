import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExperimentInfo, ExperimentReport } from '../../shared/domain/experiment'
import { diskError, replaceFile, replaceJson } from '../ground/atomic-file'
import { studyText, portableStudy } from './study-file'
import { footnotes, furtherTables, markdownTable, summaryTable } from './report-table'

/**
 * Writes an experiment as people keep it: `experiment.yaml` (what was asked; usable as a definition again),
 * `report.json` (all figures) and `report.md` (tables). A stream from a file is named without its folder, so that what is
 * written can be passed on.
 */
export async function writeReport(
  folder: string,
  report: ExperimentReport,
  { definition, name }: Pick<ExperimentInfo, 'definition' | 'name'>,
): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    throw diskError(error, folder)
  }
  const view = { ...report, stream: portableStudy(definition).stream }
  const text = [
    `# ${name}`,
    '',
    ...markdownTable(summaryTable(view)),
    '',
    ...furtherTables(view).flatMap((table) => [...markdownTable(table), '']),
    ...[...presetNotes(definition), ...footnotes(view)].map((line) => `- ${line}`),
    '',
    `Results SHA-256 (without times): \`${report.resultHash}\``,
    '',
  ].join('\n')
  await replaceFile(join(folder, 'experiment.yaml'), studyText(definition))
  await replaceFile(join(folder, 'report.md'), text)
  await replaceJson(join(folder, 'report.json'), view)
}

/** Which of its variants were made with a preset. */
const presetNotes = ({ methods }: ExperimentInfo['definition']): string[] =>
  methods.flatMap((entry) =>
    typeof entry === 'string' || entry.preset === undefined
      ? []
      : [
          `${entry.name} has the settings of ${entry.method}'s preset ${entry.preset}, where the definition says nothing else.`,
        ],
  )
