import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const core = join(import.meta.dirname, '..', '..', 'src', 'core')

/** Rooms that learn, recall or act: what a stream's maker alone knows must not reach them. */
const ROOMS = ['memory', 'methods', 'agent']

describe('what only figures may know', () => {
  it.each(ROOMS)('%s reads neither the reward as it was measured nor what a stream’s maker knows', (room) => {
    const readers = readdirSync(join(core, room), { recursive: true, encoding: 'utf8' })
      // Perfect recall is for measuring, and hands over what is known.
      .filter((name) => name.endsWith('.ts') && !name.startsWith('oracle'))
      .filter((name) =>
        /\b(task|trajectory|attempt|played)\.(measured|known)\b/.test(
          readFileSync(join(core, room, name), 'utf8'),
        ),
      )
    expect(readers).toEqual([])
  })
})
