/**
 * Writes questions of one desk as a data set: `metadata.jsonl` with the files that its tasks name beside it, ready for `loam run --stream DIR`.
 * Usage: tsx models/training/desk-stream.ts --out DIR --world N [--tasks N] [--held-out]
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { drawDeskTasks, rowOf } from '../../src/core/tasks/qa/desk/tasks'
import { createDesk, openDeskSeed } from '../../src/core/tasks/qa/desk/world'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: '' },
    world: { type: 'string', default: '1' },
    tasks: { type: 'string', default: '30' },
    /** Worded in ways that no training text has. */
    'held-out': { type: 'boolean', default: false },
  },
})
if (values.out === '') throw new Error('Say where to: --out DIR.')
const world = Number(values.world)
mkdirSync(values.out, { recursive: true })
for (const [name, text] of createDesk(openDeskSeed(world)).files) writeFileSync(join(values.out, name), text)
const rows = drawDeskTasks(world, Number(values.tasks), { heldOut: values['held-out'] }).map(rowOf)
writeFileSync(join(values.out, 'metadata.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
