import { expect, test } from 'vitest'
import { withAttachmentNote } from '../../../src/main/asks/attachment-note'
import type { Trajectory } from '../../../src/shared/domain/trajectory'

const reasonOf = (instruction: string, files: readonly string[] = []): string | undefined =>
  withAttachmentNote({ task: { instruction }, finish: 'completed' } as Trajectory, files).reason

test.each([
  'What does the attached file say about penguins?',
  'Summarise the attachment.',
  'Was steht im Anhang?',
  'Résume la pièce jointe.',
  'Resume el archivo adjunto.',
])('%s without a file is answered with a word on it', (message) => {
  expect(reasonOf(message)).toBe('No file came with this message, so none was read.')
  expect(reasonOf(message, ['a.txt'])).toBeUndefined()
})

test.each(['How do I open an attachment?', 'What is attached to a keel?', 'Wie sende ich einen Anhang?'])(
  '%s is about none',
  (message) => {
    expect(reasonOf(message)).toBeUndefined()
  },
)

test('what else there is to say of the answer stays', () => {
  const looped = {
    task: { instruction: 'Summarise the attachment.' },
    finish: 'completed',
    reason: 'It began again.',
  }
  expect(withAttachmentNote(looped as Trajectory, []).reason).toBe(
    'No file came with this message, so none was read. It began again.',
  )
})
