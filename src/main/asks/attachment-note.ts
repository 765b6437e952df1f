import type { Trajectory } from '../../shared/domain/trajectory'

/** What is attached, by that word; of languages that Loam comes with. */
const NAMES_ATTACHMENT =
  /(?<!\p{L})(?:attached (?:file|document|pdf|image|picture|spreadsheet|table|csv|text|report|letter)|attachment|uploaded (?:file|document|pdf)|file i (?:just )?(?:attached|uploaded)|angehängte[nrms]?|beigefügte[nrms]?|im anhang|pièces? jointes?|fichiers? joints?|ci-joint|(?:archivo|documento|fichero) adjunto)(?!\p{L})/iu
/** Characters of a message that holds no text beside what it asks. */
const LONGEST_WITHOUT_TEXT = 300
/** About attachments as such: "How do I open an attachment?" */
const ASKS_HOW = /^(?:how|what is an?|wie|was ist|comment|qu['’]est|cómo|qué es)(?!\p{L})/iu

/** An answer, with a word on it where its message speaks of an attached file and none came with the conversation. */
export function withAttachmentNote(trajectory: Trajectory, files: readonly string[]): Trajectory {
  const { instruction } = trajectory.task
  const isMissing =
    files.length === 0 &&
    instruction.length <= LONGEST_WITHOUT_TEXT &&
    NAMES_ATTACHMENT.test(instruction) &&
    !ASKS_HOW.test(instruction.trim())
  if (!isMissing || trajectory.finish !== 'completed') return trajectory
  return {
    ...trajectory,
    reason: ['No file came with this message, so none was read.', trajectory.reason ?? ''].join(' ').trim(),
  }
}
