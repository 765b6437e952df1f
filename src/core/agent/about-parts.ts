import type { MethodContext, PromptParts, RecalledPart, RecallInput } from '../ground/method'
import { BELIEF_KIND } from '../memory/beliefs/belief'
import { CASE_KIND } from '../memory/cases/kind'
import { FACT_KIND } from '../memory/facts/fact'
import { liveItems } from '../memory/items/live-items'
import { aboutness, isAbout } from '../retrieval/aboutness'
import { aboutPassages } from '../retrieval/about-passages'

/** Kinds that are chosen for an ask by other rules. */
const ELSEWHERE: ReadonlySet<string> = new Set([FACT_KIND, CASE_KIND, BELIEF_KIND])

/** A text of one line is held against an ask like a fact. */
const isShort = ({ text }: RecalledPart): boolean => !text.trim().includes('\n')

/** Of some parts, those that a request is about by what they say, and those a person pinned. */
async function aboutParts(
  parts: readonly RecalledPart[],
  { task, signal }: Pick<RecallInput, 'task' | 'signal'>,
  { bank, embedder }: Pick<MethodContext, 'bank' | 'embedder'>,
): Promise<ReadonlySet<RecalledPart>> {
  const passing = new Set(parts.filter(({ item }) => item.pinned === true))
  for (const kind of new Set(parts.map(({ item }) => item.kind))) {
    const own = parts.filter(({ item }) => item.kind === kind)
    const total = bank.memorySource ? liveItems(bank.memorySource.state, kind) : own.length
    const [short, long] = [own.filter(isShort), own.filter((part) => !isShort(part))]
    const shortTexts = short.map(({ text }) => text)
    const longTexts = long.map(({ text }) => text)
    const likenesses = await aboutness(task.instruction, shortTexts, embedder, total, signal)
    const abouts = await aboutPassages(task.instruction, longTexts, embedder, total, signal)
    for (const [i, part] of short.entries()) if (isAbout(likenesses[i] ?? 0)) passing.add(part)
    for (const [i, part] of long.entries()) if (abouts[i] === true) passing.add(part)
  }
  return passing
}

/**
 * What a method recalled for an everyday ask, without the passages, lessons, guides and other texts that the ask is not about: methods of papers bring whatever is nearest, which is the right thing in a stream
 * of tasks alone. Facts and attempts are looked at elsewhere, and what tools refuse is told by place and tool.
 */
export async function onlyAbout(
  parts: PromptParts,
  input: Pick<RecallInput, 'task' | 'signal'>,
  context: Pick<MethodContext, 'bank' | 'embedder'>,
): Promise<PromptParts> {
  const isText = ({ item }: RecalledPart): boolean => !ELSEWHERE.has(item.kind)
  const { errorLessons, successLessons, retrieved, documents } = parts
  const texts = [...errorLessons, ...successLessons, ...retrieved, ...(documents ?? [])].filter(isText)
  if (texts.length === 0) return parts
  const about = await aboutParts(texts, input, context)
  const keep = (list: readonly RecalledPart[]): RecalledPart[] =>
    list.filter((part) => !isText(part) || about.has(part))
  return {
    ...parts,
    errorLessons: keep(errorLessons),
    successLessons: keep(successLessons),
    retrieved: keep(retrieved),
    ...(documents && { documents: keep(documents) }),
  }
}
