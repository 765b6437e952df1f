import { documents } from '../../memory/guides/kind'
import { bySigns, sign } from '../../ground/recognition'
import { versionByHand, acceptedByHand } from '../../memory/guides/new-version'
import type { Found, ReadContext } from '../../memory/experiences/import/log'
import { lessons } from '../../memory/lessons/kind'
import { workflows } from '../../memory/workflows/kind'
import { isRecord } from '../../ground/record'
import type { Format, FormatPart, FormatSource, WriteOptions } from '../format'
import { readMarkdown, slugOf, uniqueNames, wholeText, writeMarkdown } from '../front-matter'
import { foundOfRow, unitsOf, type Unit } from '../units'

const LONGEST_NAME = 64
const LONGEST_DESCRIPTION = 1024

interface Skill {
  readonly name: string
  readonly description: string
  readonly body: string
  readonly units: readonly Unit[]
}

/** Documents and workflows are skills of their own; the lessons of an environment are one together. */
async function skillsOf(source: FormatSource, options: WriteOptions): Promise<Skill[]> {
  const skills: Skill[] = []
  const unique = uniqueNames(LONGEST_NAME)
  const byEnvironment = new Map<string, Unit[]>()
  const getName = (text: string): string => unique(slugOf(text, 'skill', LONGEST_NAME))
  for await (const unit of unitsOf(source, options)) {
    if (unit.kind === lessons.info.id) {
      byEnvironment.set(unit.environment, [...(byEnvironment.get(unit.environment) ?? []), unit])
    } else if (unit.kind === documents.info.id) {
      const description = `What is known about ${unit.title}. Read it when a task is about it.`
      skills.push({ name: getName(unit.title), description, body: unit.text, units: [unit] })
    } else if (unit.kind === workflows.info.id) {
      const description = `The steps that solved tasks like this one: ${unit.title}`
      skills.push({ name: getName(unit.title), description, body: unit.text, units: [unit] })
    }
  }
  for (const [environment, units] of byEnvironment) {
    const body = `# Lessons of ${environment}\n\n${units.map(({ text }) => `- ${text.replace(/\s+/g, ' ').trim()}`).join('\n')}`
    const description = `Short pieces of advice from earlier attempts at tasks of "${environment}": what worked, and mistakes to avoid.`
    skills.push({ name: getName(`lessons ${environment}`), description, body, units })
  }
  return skills
}

function partOf({ name, description, body, units }: Skill, i: number): FormatPart[] {
  const [first] = units
  const about = {
    name,
    description: description.slice(0, LONGEST_DESCRIPTION),
    metadata: { loam: JSON.stringify(units.map(({ line }) => line)), order: String(i) },
  }
  const file = `${name}/SKILL.md`
  return [{ text: writeMarkdown({ about, body }), holds: first?.kinds ?? null, count: units.length, file }]
}

/** Agent Skills: a folder with SKILL.md for everything that can be read as instructions. */
export const agentSkills: Format = {
  id: 'agent-skills',
  title: 'Agent Skills (folder of SKILL.md)',
  writtenFor:
    'the Agent Skills specification of 2025: name, description, metadata, and instructions below them',
  keeps: 'Every live document and workflow as a skill, and the live lessons of each environment as one.',
  loses:
    'Attempts, cases, notes, summaries, experiences, rubrics, soft prompts, and what is deleted. Scripts beside a skill that is read.',
  written: 'folder',
  recognise: bySigns([sign(0.8, /^---\r?\n/, /^name:/m, /^description:/m)], /\bSKILL\.md$/),
  fileName: ({ fileName }) => `${fileName}-skills`,
  async *write(source, options) {
    for (const [i, skill] of (await skillsOf(source, options)).entries()) yield* partOf(skill, i)
  },
  async *read(pieces, context) {
    const place = { line: 1 }
    const text = await wholeText(pieces)
    if (text === '' || text?.trim() === '') return
    const file = text === null ? 'it is too long for a skill' : readMarkdown(text)
    if (typeof file === 'string') yield { kind: 'left', place, why: file }
    else yield* foundIn(file.about, file.body, context)
  },
}

function* foundIn(
  about: Readonly<Record<string, unknown>>,
  body: string,
  context: ReadContext,
): Generator<Found> {
  const place = { line: 1 }
  const { name, description, metadata } = about
  const lines = isRecord(metadata) && typeof metadata['loam'] === 'string' ? linesIn(metadata['loam']) : null
  if (lines) {
    for (const line of lines) yield foundOfRow(line, { text: '' }, place, context)
  } else if (typeof name !== 'string' || name.trim() === '' || body === '') {
    yield { kind: 'left', place, why: body === '' ? 'it has no instructions' : 'it has no name' }
  } else {
    const id = `skill-${context.hash(JSON.stringify([name, description, body])).slice(0, 20)}`
    const text = {
      context: '',
      howToUse: body,
      whenToUse: typeof description === 'string' ? description : '',
      bestPractices: '',
    }
    const concept = { conceptId: `skill-${slugOf(name, id)}`, concept: name, environment: 'general' }
    const version = versionByHand(id, concept, null, text, context.now)
    yield {
      kind: 'events',
      place,
      events: [{ kind: 'document-written', version }, acceptedByHand(concept.conceptId, id, context.now)],
    }
  }
}

function linesIn(text: string): unknown[] | null {
  if (text.length > 4_000_000) return null
  try {
    const lines: unknown = JSON.parse(text)
    return Array.isArray(lines) ? lines : null
  } catch {
    return null
  }
}
