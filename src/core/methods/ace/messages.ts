import type { Bullet, Section } from '../../memory/bullets/bullet'
import { SECTIONS } from '../../memory/bullets/bullet'
import { SECTION_TITLES } from '../../memory/bullets/kind'
import type { ChatMessage } from '../../ground/ports'
import { retell, type Retelling } from '../../ground/prompt'
import { declareForm, declareForms, isRecord, textField, type FormOutline } from '../../ground/writing'
import { exactObject } from '../../ground/exact-object'

/** What the reflector judged a bullet to be. */
const TAGS = ['helpful', 'harmful', 'neutral'] as const
export type Tag = (typeof TAGS)[number]

/** What the reflector makes of an attempt (ACE, section 3): why it went as it did, what to know, and how each bullet did. */
export interface Reflection {
  readonly diagnosis: string
  readonly insight: string
  /** By the number a bullet was shown under, from 1; each once. */
  readonly tags: readonly { readonly bullet: number; readonly tag: Tag }[]
}

/** A bullet as the curator writes it. */
export type BulletText = Pick<Bullet, 'section' | 'content'>

/** Most bullets of a playbook that a reflector can name. */
export const MOST_NUMBERED = 100
const MOST_TAGS = 8
const MOST_BULLETS = 3
const TEXT = { type: 'string', maxLength: 300 } as const

function readTags(value: unknown, count: number): Reflection['tags'] {
  if (!Array.isArray(value)) return []
  const read = value.flatMap((each: unknown): Reflection['tags'] => {
    const bullet = isRecord(each) ? each['bullet'] : undefined
    const tag = TAGS.find((record) => isRecord(each) && each['tag'] === record)
    const isNumbered =
      typeof bullet === 'number' && Number.isInteger(bullet) && bullet >= 1 && bullet <= count
    return tag && isNumbered ? [{ bullet, tag }] : []
  })
  // The first word on a bullet counts.
  return read.filter(({ bullet }, i) => read.findIndex((other) => other.bullet === bullet) === i)
}

function reflectionOutline(count: number): FormOutline<Reflection> {
  const number = { enum: Array.from({ length: count }, (_, i) => i + 1) }
  const tag = exactObject({ bullet: number, tag: { enum: [...TAGS] } })
  const tags = { type: 'array', items: tag, maxItems: Math.min(count, MOST_TAGS) }
  return {
    schema: exactObject({ diagnosis: TEXT, insight: TEXT, ...(count > 0 && { tags }) }),
    read(value) {
      const diagnosis = textField(value, 'diagnosis')
      const insight = textField(value, 'insight')
      if (diagnosis === undefined || insight === undefined) return undefined
      const tags = readTags(isRecord(value) ? value['tags'] : undefined, count)
      return insight === '' && tags.length === 0 ? null : { diagnosis, insight, tags }
    },
  }
}

/** `{"diagnosis", "insight", "tags": [{"bullet", "tag"}]}` for a playbook of `count` numbered bullets; without `tags` where there are none. */
export const reflectionForm = declareForms('ace-reflect', reflectionOutline, () => [
  [0],
  [1],
  [MOST_NUMBERED],
])

/** `{"bullets": [{"section", "content"}]}`: at most 3, none where nothing is missing. */
export const CURATION_FORM = declareForm<readonly BulletText[]>('ace-curate', {
  schema: exactObject({
    bullets: {
      type: 'array',
      maxItems: MOST_BULLETS,
      items: exactObject({ section: { enum: [...SECTIONS] }, content: TEXT }),
    },
  }),
  read(value) {
    const listed = isRecord(value) ? value['bullets'] : undefined
    if (!Array.isArray(listed)) return undefined
    return listed.slice(0, MOST_BULLETS).flatMap((each: unknown): BulletText[] => {
      const content = textField(each, 'content')
      const section = SECTIONS.find((record) => isRecord(each) && each['section'] === record)
      return content && section ? [{ section, content }] : []
    })
  },
})

/** A bullet in one line, under the number it goes by in this prompt. */
export const bulletLine = (
  { content, helpful, harmful }: Pick<Bullet, 'content' | 'helpful' | 'harmful'>,
  number: number,
): string => `[${number}] helpful ${helpful}, harmful ${harmful}: ${content}`

type Shown = Pick<Bullet, 'section' | 'content' | 'helpful' | 'harmful'>

/** The playbook as reflector and curator read it: its sections, bullets numbered from 1 in the order given. */
function playbookText(playbook: readonly Shown[]): string {
  if (playbook.length === 0) return 'Playbook: (empty)'
  const under = (section: Section): string[] => {
    const lines = playbook.flatMap((bullet, i) =>
      bullet.section === section ? [bulletLine(bullet, i + 1)] : [],
    )
    return lines.length === 0 ? [] : [`${SECTION_TITLES[section]}:`, ...lines]
  }
  return ['Playbook', ...SECTIONS.flatMap(under)].join('\n')
}

/** The reflector's question: the playbook the agent had, the attempt, and its own reflection so far. Reply: `reflectionForm`. */
export const reflectMessages = (
  template: string,
  playbook: readonly Shown[],
  attempt: Retelling,
  before: Pick<Reflection, 'diagnosis' | 'insight'> | null = null,
): ChatMessage[] => [
  { role: 'system', content: template },
  {
    role: 'user',
    content: [
      playbookText(playbook),
      retell(attempt),
      ...(before ? [`Your reflection so far, to be made sharper:\n${reflectionText(before)}`] : []),
    ].join('\n\n'),
  },
]

const reflectionText = ({ diagnosis, insight }: Pick<Reflection, 'diagnosis' | 'insight'>): string =>
  [diagnosis, insight].filter((part) => part !== '').join('\n')

/** The curator's question: the playbook as it is, the task, and what was learned. Reply: `CURATION_FORM`. */
export const curateMessages = (
  template: string,
  playbook: readonly Shown[],
  { instruction, reward }: Pick<Retelling, 'instruction' | 'reward'>,
  reflection: Pick<Reflection, 'diagnosis' | 'insight'>,
): ChatMessage[] => [
  { role: 'system', content: template },
  {
    role: 'user',
    content: `${playbookText(playbook)}\n\n${reward === 1 ? 'Solved' : 'Failed'}: ${instruction}\nLearned:\n${reflectionText(reflection)}`,
  },
]
