import type { Format } from '../../src/core/formats/format'
import { LOG_FORMATS } from '../../src/core/memory/experiences/import'

const HEAD = `# Formats

Written by \`npm run docs\` from the formats themselves.

\`\`\`sh
loam export --format ID --memory DIR --out PATH    # a file; a folder where it says so
loam import PATH... --memory DIR                   # files, folders with everything below them, patterns in quotes, bundles, published memories
loam import PATH... --memory DIR --dry-run         # what it would do, by kind with samples; imports nothing
loam imports undo --memory DIR                     # undoes the last import as a whole; "loam imports" lists them
\`\`\`

Without \`--format\` a file is recognised by its content; one that two formats claim alike has to be named. Every row of it ends in exactly one of three places: imported, there already, or left out with line and reason
(\`--json\`: \`{"rows", "imported", "duplicates", "left": [{"line", "why"}], "kinds", "conflicts", "importId"}\`). Secrets are taken out on the way in.
\`--on-conflict keep|take|both\` answers once what is done about items that read differently here; without it nothing is overwritten. \`--kinds\` takes in some kinds only.
A whole memory that comes back equal travels as a [bundle](share.md#bundles).

Formats of items write for every item its title and text for other programs and, beside them, the line that Loam brings it back from. Rows that another
program wrote have none: their texts become notes, skills become documents, bullets of a playbook become lessons.
`

const LOGS = `
## Logs of other agents

Read only. An attempt is one request of a person, one task, or one trace, and becomes an experience. How it ended is taken from where the log says it: a verdict or
report in the file, a report of a harness (\`*report*.json\`, \`*results*.json\`) beside it in the same folder, giving up, an error at the top of a trace, or the
last run of the project's tests if nothing was changed after it. That something was submitted or answered says nothing.

| format | what it is | written for |
|---|---|---|
`

/** The document of all formats. */
export function formatsDocument(formats: readonly Format[]): string {
  const logs = formats.filter((format) => LOG_FORMATS.some(({ id }) => id === format.id))
  const others = formats.filter((format) => !logs.includes(format))
  return [HEAD, ...others.map(sectionOf), LOGS.trimEnd(), ...logs.map(rowOf), ''].join('\n')
}

function sectionOf({
  id,
  title,
  writtenFor,
  keeps,
  loses,
  written,
  write,
  read,
  readBytes,
  section,
}: Format): string {
  const ways = [...(write ? ['written'] : []), ...(read || readBytes ? ['read'] : [])].join(' and ')
  const where = section ? '; a section of a file' : written === 'folder' ? '; a folder' : ''
  return `\n## ${title}\n\n\`${id}\`: ${ways}${where}. For ${writtenFor}.\n\n- **Keeps** ${keeps}\n- **Loses** ${loses}`
}

const rowOf = ({ id, title, writtenFor }: Format): string => `| \`${id}\` | ${title} | ${writtenFor} |`
