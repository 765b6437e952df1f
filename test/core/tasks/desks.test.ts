import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createRng } from '../../../src/core/ground/random'
import {
  DESK_KINDS,
  drawDeskTask,
  drawDeskTasks,
  HELD_OUT_WORDINGS,
  rowOf,
} from '../../../src/core/tasks/qa/desk/tasks'
import { createDesk, openDeskSeed } from '../../../src/core/tasks/qa/desk/world'
import { desks } from '../../../src/core/tasks/qa/desk/generator'
import { questionEntrySchema } from '../../../src/core/tasks/qa/entry'
import { gradeAnswer } from '../../../src/core/tasks/qa/grade'
import { plainForm } from '../../../src/core/tasks/qa/forms/plain'

const worlds = [1, 2, 3, 4, 5]

test('a desk and its questions are the same for the same numbers, and others for others', () => {
  expect(drawDeskTasks(3, 12)).toEqual(drawDeskTasks(3, 12))
  expect(createDesk(openDeskSeed(3)).files).toEqual(createDesk(openDeskSeed(3)).files)
  expect(createDesk(openDeskSeed(3)).files).not.toEqual(createDesk(openDeskSeed(4)).files)
  expect(openDeskSeed(1).startsWith('train:')).toBe(false)
})

test('every answer follows from the files that lie with the question, and no file alone holds it but for a key', () => {
  let late = 0
  for (const world of worlds) {
    const desk = createDesk(openDeskSeed(world))
    for (const { kind, people, paid, answer, files } of drawDeskTasks(world, 40)) {
      expect(files.every((name) => desk.files.has(name))).toBe(true)
      const text = (name: string): string => (files.includes(name) ? (desk.files.get(name) ?? '') : '')
      const value = (name: string, key: string): string =>
        new RegExp(`^${key}: (.*)$`, 'm').exec(text(name))?.[1] ?? ''
      const [a = ''] = people
      const bill = (name: string): number =>
        Number(value(desk.names.bills, name) || value(desk.names.late, name))
      if (kind === 'cost') {
        const [count = '', thing = ''] = value(desk.names.orders, a).split(' ')
        expect(String(Number(count) * Number(value(desk.names.prices, thing)))).toBe(answer)
      } else if (kind === 'key') {
        const listed = value(desk.names.rooms, a)
        const file = files.find((name) => name.replace('.md', '.txt') === listed) ?? ''
        expect(value(file, 'Key')).toBe(answer)
      } else expect(String(people.reduce((sum, name) => sum + bill(name), -paid))).toBe(answer)
      if (kind === 'rest' && value(desk.names.bills, a) === '') late++
    }
  }
  expect(late).toBeGreaterThan(5)
})

test('a row is read as a question whose known answer is taken for right, and another one is not', async () => {
  for (const task of drawDeskTasks(7, 8)) {
    const read = plainForm.read(rowOf(task))
    if ('reason' in read) throw new Error(read.reason)
    const entry = questionEntrySchema.parse(read.entry)
    expect(entry.attachments.map(({ name }) => name)).toEqual(task.files)
    const graded = async (answer: string) => (await gradeAnswer(task.question, entry, answer, null)).reward
    expect([await graded(task.answer), await graded('7')]).toEqual([1, 0])
  }
})

test('held-out wordings are drawn only where they are asked for', () => {
  const rng = createRng('wordings')
  const desk = createDesk('train:test')
  for (const kind of DESK_KINDS) {
    const [start = ''] = HELD_OUT_WORDINGS[kind].split('{')
    const begin = start === '' ? 'Having' : start
    const usual = Array.from({ length: 20 }, () => drawDeskTask(rng, desk, 't', { kind }).question)
    expect(usual.some((question) => question.startsWith(begin))).toBe(false)
    expect(drawDeskTask(rng, desk, 't', { kind, heldOut: true }).question.startsWith(begin)).toBe(true)
  }
})

test('the bundled stream and its files are as the generator makes them', () => {
  const folder = new URL('../../../resources/streams/', import.meta.url)
  const made = desks.bundled()
  for (const { fileName, text } of made)
    expect(readFileSync(new URL(fileName, folder), 'utf8') === text, fileName).toBe(true)
  expect(readdirSync(new URL('desk-a/', folder)).length).toBe(made.length - 1)
})
