import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findResources } from '../../../src/main/ground/resources'
import { hashTasks, openStreamLibrary } from '../../../src/main/streams/stream-library'
import { tempFolder } from '../runs/rig-app'

let folder: string
beforeEach(async () => {
  folder = await tempFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('the bundled demo streams are there, complete and readable', async () => {
  const streams = await openStreamLibrary(findResources().streams, folder).list()
  const demos = streams.filter(({ demo }) => demo)
  expect(
    demos.map(({ id, tasks, demo, source, reading }) => [id, tasks, demo, source, reading.left.length]),
  ).toEqual([
    ['house-rules-a', 120, true, 'bundled', 0],
    ['house-rules-b', 120, true, 'bundled', 0],
    ['house-rules-c', 120, true, 'bundled', 0],
    ['house-rules-mix', 240, true, 'bundled', 0],
  ])
})

test('the bundled questions come with their files, and one whose file is gone is left out and reported', async () => {
  const { streams } = findResources()
  const bundled = await openStreamLibrary(streams, folder).load('desk-questions')
  expect(bundled.info).toMatchObject({ environment: 'qa', tasks: 9, reading: { left: [] } })
  expect(bundled.tasks[1]?.payload).toMatchObject({
    attachments: [{ name: 'sales.csv', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
  })
  const rows = [
    { task_id: 'a', Question: 'Gone?', Level: 1, 'Final answer': 'x', file_name: 'gone.csv' },
    { question: 'Who?', ground_truth: 'Ada', data_source: 'nq' },
  ]
  const path = join(folder, 'metadata.jsonl')
  await writeFile(path, rows.map((row) => JSON.stringify(row)).join('\n'))
  const { info, tasks, files } = await openStreamLibrary(streams, folder).load(path)
  expect(tasks.map(({ id, index }) => [id, index])).toEqual([['1', 0]])
  expect([info.environment, info.reading.left, files]).toEqual([
    'qa',
    [{ line: 1, why: 'its file gone.csv cannot be read: ENOENT' }],
    folder,
  ])
})

test('a generated world is the same for the same number, and one JSON line per task', async () => {
  const library = openStreamLibrary(folder, join(folder, 'own'))
  const first = await library.generate(42, 10)
  const second = await library.generate(42, 10, join(folder, 'copy.txt'))
  expect(await readFile(first.id, 'utf8')).toBe(await readFile(second.id, 'utf8'))
  expect((await readFile(first.id, 'utf8')).trimEnd().split('\n')).toHaveLength(10)
  expect(first).toMatchObject({ tasks: 10, demo: true, source: 'file' })
})

test('a generated desk has its files beside it, in the list as for a file of one’s own', async () => {
  const library = openStreamLibrary(folder, join(folder, 'own'))
  for (const file of [join(folder, 'desk.jsonl'), join(folder, 'plain'), undefined]) {
    const { id } = await library.generate(5, 12, file, 'desks')
    const { info, tasks, files } = await library.load(id)
    expect([info.environment, info.reading.left, tasks.length]).toEqual(['qa', [], 12])
    expect(await readdir(files)).toHaveLength(11)
  }
})

test('bad rows are skipped and told with their line; unusable files are refused', async () => {
  const library = openStreamLibrary(folder, join(folder, 'own'))
  const { id } = await library.generate(1, 3)
  const path = join(folder, 'mixed.jsonl')
  const lines = (await readFile(id, 'utf8')).split('\n')
  await writeFile(path, [lines[0], 'not json', '{"instruction":"half"}', lines[1]].join('\n'))
  const { info, tasks } = await library.load(path)
  expect(tasks).toHaveLength(2)
  expect(info.reading.left.map((row) => row.line)).toEqual([2, 3])
  await writeFile(path, 'nothing here\n')
  await expect(library.load(path)).rejects.toMatchObject({ code: 'TASK_STREAM' })
  await expect(library.load('unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a stream of a whole lifetime has a name, and is listed once it is kept', async () => {
  const library = openStreamLibrary(findResources().streams, join(folder, 'own'))
  const name = 'lifelong:drift?world=7&order=2'
  const { info, tasks } = await library.load(name)
  expect(info).toMatchObject({
    id: name,
    title: 'Lifelong: Drift, world 7, order 2',
    source: 'made',
    demo: true,
  })
  expect(tasks.length).toBe(180)
  expect((await library.list()).some(({ id }) => id === name)).toBe(false)
  await library.keepMade('lifelong:drift?order=2&world=7')
  // Another start knows it by its name too, and its file stands for it.
  const again = openStreamLibrary(findResources().streams, join(folder, 'own'))
  expect((await again.list()).filter(({ id }) => id === name)).toHaveLength(1)
  expect(await hashTasks((await again.load(name)).tasks)).toBe(await hashTasks(tasks))
  await expect(again.keepMade('house-rules-a')).rejects.toMatchObject({ code: 'BAD_INPUT' })
  await expect(again.load('lifelong:drifty')).rejects.toMatchObject({ code: 'BAD_INPUT' })
})

test('a file cannot stand for another file', async () => {
  const file = join(folder, 'other.jsonl')
  await writeFile(
    file,
    `${JSON.stringify({ stream: { id: 'x', title: 'X', made: join(findResources().streams, 'house-rules-a.jsonl') } })}\n`,
  )
  await expect(
    openStreamLibrary(findResources().streams, join(folder, 'own')).load(file),
  ).rejects.toMatchObject({ code: 'TASK_STREAM' })
})
