import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { questionEntrySchema } from '../../../src/core/tasks/qa/entry'
import { openStreamLibrary } from '../../../src/main/streams/stream-library'
import { tempFolder } from '../runs/rig-app'

let folder: string
beforeEach(async () => {
  folder = await tempFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const put = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  return path
}
const load = (path: string) => openStreamLibrary(folder, join(folder, 'own')).load(path)
const questions = async (path: string) => (await load(path)).tasks.map(({ instruction }) => instruction)

test('prompts, tests, values and what tests share are read from the files below the folder', async () => {
  await put('prompts/ask.txt', 'Name the port of {{ship}}.\n---\nWhere lies {{ship}}?\n')
  await put(
    'tests/a.csv',
    'ship,__expected,__expected2,__suffix\nKestrel,Bergen,"contains-any: a, e",\nHeron,icontains:oslo,, Be short.\n',
  )
  await put('tests/b.yaml', '- vars:\n    ship: file://gone.txt\n- vars: { ship: Gannet }\n')
  await put('ship.txt', 'Petrel\n')
  await put('tests/c.yaml', '- vars: { ship: file://ship.txt }\n')
  await put('shared.yaml', 'assert:\n  - type: levenshtein\n    value: "{{ship}}"\n')
  const path = await put(
    'sub.yaml',
    [
      'prompts: [file://prompts/ask.txt]',
      'defaultTest: file://shared.yaml',
      'tests:',
      '  - file://tests/*.csv',
      '  - vars: { ship: file://ship.txt }',
    ].join('\n'),
  )
  const { tasks, info } = await load(path)
  expect(info.reading).toMatchObject({ left: [], notes: [] })
  expect(tasks.map(({ instruction }) => instruction)).toEqual([
    'Name the port of Kestrel.',
    'Where lies Kestrel?',
    'Name the port of Heron. Be short.',
    'Where lies Heron? Be short.',
    'Name the port of Petrel.',
    'Where lies Petrel?',
  ])
  const [code = ''] = questionEntrySchema.parse(tasks[0]?.payload).references
  for (const part of ['"Bergen"', '["a","e"]', 'distance(output, "Kestrel")']) expect(code).toContain(part)
  expect(questionEntrySchema.parse(tasks[2]?.payload).references[0]).toContain('"oslo"')
  // Files that files name.
  const nested = { prompts: ['{{ship}}!'], tests: 'tests/c.yaml' }
  expect(await questions(await put('nested.json', JSON.stringify(nested)))).toEqual(['Petrel!'])
  expect(
    await questions(await put('all.json', JSON.stringify({ prompts: ['{{ship}}?'], tests: 'tests/b.yaml' }))),
  ).toEqual(['Gannet?'])
})

test('scenarios are read from files too, and a row that cannot be read says so', async () => {
  await put('ports.yaml', '- vars: { ship: Kestrel, port: Bergen }\n- vars: { ship: Heron, port: Oslo }\n')
  await put(
    'ask.csv',
    'word,__expected,__metadata:tags[]\nlies,contains: Bergen,"a,b"\nwas,contains: Oslo,c\n',
  )
  const scenario = { config: 'file://ports.yaml', tests: 'file://ask.csv' }
  await put('scenarios.json', JSON.stringify([scenario]))
  const config = { prompts: ['{{ship}} {{word}}?'], scenarios: 'file://scenarios.json' }
  expect(await questions(await put('promptfooconfig.json', JSON.stringify(config)))).toEqual([
    'Kestrel lies?',
    'Kestrel was?',
    'Heron lies?',
    'Heron was?',
  ])
  await put('none.csv', 'no table at all\n')
  const other = { prompts: ['{{ship}}?'], tests: ['file://none.csv', { vars: { ship: 'Heron' } }] }
  const { reading } = (await load(await put('other.json', JSON.stringify(other)))).info
  expect(reading.left).toMatchObject([{ why: expect.stringContaining('line 1 of none.csv: ') as string }])
})

test('what cannot be reached is named, with the reason, and nothing outside the folder is read', async () => {
  await put('in/here.csv', 'ship,__expected\nKestrel,Bergen\n')
  await put('out.csv', 'ship,__expected\nSecret,Bergen\n')
  await symlink(join(folder, 'out.csv'), join(folder, 'in', 'linked.csv'))
  const tests = ['../out.csv', 'linked.csv', 'gone.csv', 'none/*.yaml', 'here.csv'].map(
    (name) => `file://${name}`,
  )
  const config = {
    prompts: ['Where lies {{ship}}?'],
    tests: [...tests, 'file://make.py', { vars: 'file://gone.json' }],
  }
  const { tasks, info } = await load(await put('in/promptfooconfig.json', JSON.stringify(config)))
  expect(tasks.map(({ instruction }) => instruction)).toEqual(['Where lies Kestrel?'])
  expect(info.reading.notes).toEqual([
    '../out.csv: it lies outside the folder of the tasks.',
    'linked.csv: it lies outside the folder of the tasks.',
    'gone.csv: there is no such file.',
    'none/*.yaml: there is no such file.',
    'gone.json: there is no such file.',
  ])
  expect(info.reading.left.map(({ why }) => why)).toEqual([
    ...['../out.csv', 'linked.csv', 'gone.csv', 'none/*.yaml', 'make.py'].map(
      (name) => `file://${name} is another file, which is not read here`,
    ),
    'its values stand in file://gone.json, which is not read here',
  ])
})
