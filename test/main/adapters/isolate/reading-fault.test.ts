import { expect, test } from 'vitest'
import { readingFault } from '../../../../src/main/adapters/isolate/reading-fault'

const DAMAGED = 'It is damaged, or of another kind than its name says.'

/** Met by mutated files. */
test.each([
  new TypeError("Cannot read properties of undefined (reading 'a')"),
  new RangeError('Invalid typed array length: -4'),
  new Error('parquet data page header v2 is undefined'),
  new Error('Start tag expected.:1:undefined'),
  new Error(
    'error: [xmldom error]\tend tag name: Relationships is not complete\n@#[line:undefined,col:undefined]',
  ),
  new Error(''),
])('says in words what %o means', (error) => expect(readingFault(error)).toBe(DAMAGED))

test('keeps words that were meant for people', () =>
  expect(readingFault(new Error('The archive holds more than 100 MiB.'))).toBe(
    'The archive holds more than 100 MiB.',
  ))
