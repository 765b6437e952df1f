import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Packages whose versions figures depend on. */
const PACKAGES = ['node-llama-cpp', '@lancedb/lancedb', 'apache-arrow', 'fflate', 'hyparquet-writer']

const number = (value) =>
  Number.isInteger(value) ? value.toLocaleString('en') : String(Number(value.toPrecision(3)))

/** Figures as rows of a table: where they stand in the object, and what they are. */
function* rowsOf(value, path = []) {
  if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) yield* rowsOf(part, [...path, name])
  else if (path.join() !== 'bench')
    yield [path.join(' '), typeof value === 'number' ? number(value) : String(value)]
}

/** Keeps the newest figures of a bench, and makes docs/results/bench/README.md of all that are kept. */
export function writeBenchReport(root, name, outcome) {
  const folder = join(root, 'docs', 'results', 'bench')
  mkdirSync(folder, { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const versions = Object.fromEntries(PACKAGES.map((one) => [one, dependencies[one]]))
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ ...outcome, versions }, null, 2)}\n`)
  const sections = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => sectionOf(file.slice(0, -5), JSON.parse(readFileSync(join(folder, file), 'utf8'))))
  const head = [
    '# What was measured',
    '',
    '`npm run bench [-- NAME ...]` writes this page: the newest figures of each bench that was run. What compares plays everything in turn in one run and tells medians of ratios. Processor time is that of the bench itself, without processes that it starts.',
    '',
    'What was tried to be quicker, and what it came to, also where it did not pay: [tried.md](tried.md).',
  ]
  writeFileSync(join(folder, 'README.md'), `${[...head, ...sections.flat()].join('\n')}\n`)
}

function sectionOf(name, { at, node, platform, cpu, cores, cpuS, wallS, load, versions, figures }) {
  const cost = [cpuS === null ? null : `${number(cpuS)} s of processor time`, `${number(wallS)} s in all`]
  return [
    ...['', `## ${name}`, ''],
    `${at.slice(0, 10)}, Node ${node.slice(1)}, ${platform}, ${cpu}, ${cores} cores, load ${number(load)}; ${cost.filter(Boolean).join(', ')}. ${Object.entries(
      versions,
    )
      .map(([one, version]) => `${one} ${version}`)
      .join(', ')}.`,
    ...['', '| figure | |', '| --- | --- |'],
    ...[...rowsOf(figures)].map(([place, value]) => `| ${place} | ${value.replaceAll('|', '\\|')} |`),
  ]
}
