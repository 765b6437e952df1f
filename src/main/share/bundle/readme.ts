import type { BundleManifest } from '../../bundle/manifest'

/** What the files of a bundle are, for who has no Loam: a bundle is a zip archive of text. `paths` are those of its files. */
export function readmeText(about: Omit<BundleManifest, 'files'>, paths: readonly string[]): string {
  const has = (path: string): boolean => paths.includes(path)
  const data = paths.filter((path) => path.startsWith('data/')).sort()
  const lines = [
    `# ${oneLine(about.space.name)}`,
    '',
    `A memory written by Loam ${oneLine(about.loam)} on ${oneLine(about.createdAt)}. It needs no Loam to be read: this file is one of a zip`,
    'archive (name a copy `.zip` and unpack it), and all of it but the vectors is text.',
    '',
    '| file | what it is |',
    '|---|---|',
    '| `report.html` | the memory for people; open it in a browser, nothing is loaded from elsewhere |',
    ...data.map((path) => `| \`${path}\` | a JSON object a line: ${about.counts[path.slice(5, -6)] ?? 0} |`),
    ...(has('history.jsonl') ? ['| `history.jsonl` | how the memory came to be, a commit a line |'] : []),
    ...(has('vectors.parquet')
      ? [`| \`vectors.parquet\` | a vector for each text, by ${oneLine(about.encoder.id)} |`]
      : []),
    '| `manifest.json` | size and SHA-256 of every file, licence and origin |',
    '| `signature.json` | only where it was signed: an Ed25519 signature of `manifest.json`, and the public key |',
    '',
    `Licence: ${oneLine(about.licence ?? 'not named')}.`,
    '',
    ...(data[0] === undefined ? [] : exampleOf(data[0])),
  ]
  return lines.join('\n')
}

const exampleOf = (path: string): string[] => [
  'Any program reads it, for example:',
  '',
  '```python',
  'import json, zipfile',
  'with zipfile.ZipFile("memory.loam") as bundle:',
  `    for line in bundle.open("${path}"):`,
  '        print(json.loads(line))',
  '```',
  '',
]

const oneLine = (text: string): string => text.replace(/[\s|`]+/g, ' ').trim()
