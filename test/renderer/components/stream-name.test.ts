import { expect, it } from 'vitest'
import { streamName } from '../../../src/renderer/components/format'

it.each([
  ['lifelong:drift?world=901&order=1', 'Drift, world 901'],
  ['lifelong:drift?world=901&order=2', 'Drift, world 901, order 2'],
  ['lifelong:steady', 'Steady'],
  ['/streams/own.jsonl', 'own.jsonl'],
  ['house-rules-a', 'house-rules-a'],
])('calls the stream %s “%s”', (id, name) => expect(streamName(id)).toBe(name))
