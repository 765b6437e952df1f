import type { ProbeId } from '../../../shared/domain/model-profile'
import { LoamError } from '../../../shared/errors'
import type { GenerateRequest, GenerateResult, LanguageModel } from '../../ground/chat'

/** What is asked of a model once in each form, and told mechanically. */
export interface ProbeQuestion {
  /** What it counts as. */
  readonly kind: string
  /** In the form of this index. */
  request(form: number): GenerateRequest
  isRight(reply: GenerateResult): boolean
}

/** Questions that find out one thing about a model. */
export interface Probe {
  readonly id: ProbeId
  /** Raised when a question changes: what was measured before counts no more. */
  readonly version: number
  /** What is asked, for people. */
  readonly activity: string
  /** Names of the forms, the usual one first. */
  readonly forms: readonly string[]
  /** Questions whose prompts begin alike stand together, so that a model reads what they share once for each form. */
  readonly blocks: readonly (readonly ProbeQuestion[])[]
  /** Right answers that are enough, by kind; where that is sure, no more of the kind are asked. Default: its forms are compared. */
  readonly needs?: Readonly<Record<string, number>>
}

/** By form, then by question in its order: whether it was right; null where it was not needed any more. */
export type ProbeAnswers = readonly (readonly (boolean | null)[])[]

const questionsOf = ({ blocks }: Probe): readonly ProbeQuestion[] => blocks.flat()

/** Answers that a probe takes, those that turn out not to be needed among them. */
export const probeSize = (probe: Probe): number => probe.forms.length * questionsOf(probe).length
/** How many of them are there. */
export const probeCount = (answers: ProbeAnswers): number =>
  answers.reduce((sum, { length }) => sum + length, 0)
/** Whether nothing is left to ask. */
export const isProbed = (probe: Probe, answers: ProbeAnswers): boolean =>
  probeCount(answers) >= probeSize(probe)

/** Standard errors by which a form has to be ahead of the usual one: one side of 5 %. */
const BEYOND = 1.64

/** Questions that a form had right and the usual one had not, and the other way round. */
function leadOf(answers: ProbeAnswers, form: number): { readonly won: number; readonly lost: number } {
  const usual = answers[0] ?? []
  const pairs = (answers[form] ?? []).map((right, i) => [right, usual[i] ?? null] as const)
  const count = (own: boolean): number =>
    pairs.filter(([right, other]) => right === own && other === !own).length
  return { won: count(true), lost: count(false) }
}

/** Whether so many won and lost are beyond chance (sign test, normal approximation). */
const isAhead = (wins: number, losses: number): boolean =>
  wins > losses && (wins - losses) / Math.sqrt(wins + losses) > BEYOND

/** The form to use: the one furthest ahead of the usual one beyond chance; else the usual one. */
export function bestForm(probe: Probe, answers: ProbeAnswers): number {
  const ahead = probe.forms
    .map((_, form) => ({ form, ...leadOf(answers, form) }))
    .filter(({ won, lost }) => isAhead(won, lost))
    .sort((a, b) => b.won - b.lost - (a.won - a.lost))
  return ahead[0]?.form ?? 0
}

/** Whether a model passes in a kind of question; null while that is open. */
export function verdictOf(probe: Probe, answers: ProbeAnswers, kind: string): boolean | null {
  const need = probe.needs?.[kind] ?? 0
  const own = questionsOf(probe).flatMap((question, i) =>
    question.kind === kind ? [answers[0]?.[i] ?? null] : [],
  )
  const rightCount = own.filter((right) => right === true).length
  const wrongCount = own.filter((right) => right === false).length
  if (rightCount >= need) return true
  return own.length - wrongCount < need ? false : null
}

/** Questions by which a form that falls behind the usual one is given up. */
const GIVEN_UP = 2

/**
 * Whether an answer would change nothing: the kind is sure, or the form has fallen behind or cannot come out ahead any more, since the usual one had
 * too much right.
 */
function isSettled(probe: Probe, answers: ProbeAnswers, form: number, kind: string): boolean {
  if (probe.needs) return verdictOf(probe, answers, kind) !== null
  if (form === 0) return false
  const { won, lost } = leadOf(answers, form)
  const winnable = (answers[0] ?? []).slice(answers[form]?.length).filter((right) => right === false)
  return lost - won >= GIVEN_UP || !isAhead(won + winnable.length, lost)
}

/** What is to be asked next: the usual form, whose answers say what others can win, then block by block each other one. Null where nothing is left. */
function nextOf(probe: Probe, answers: ProbeAnswers) {
  const first = questionsOf(probe)[answers[0]?.length ?? 0]
  if (first) return { form: 0, question: first }
  let start = 0
  for (const block of probe.blocks) {
    for (const form of probe.forms.keys()) {
      const question = block[(answers[form]?.length ?? 0) - start]
      if (question) return { form, question }
    }
    start += block.length
  }
  return null
}

/** The reply of a model, held to a form where it knows grammars; null where what is asked is longer than it can read. */
async function ask(
  model: Pick<LanguageModel, 'generate' | 'can'>,
  { constraint, ...request }: GenerateRequest,
  signal: AbortSignal,
): Promise<GenerateResult | null> {
  const isHeld = (model.can?.constraint ?? 'grammar') === 'grammar'
  try {
    return await model.generate(
      { temperature: 0, seed: 1, ...request, ...(constraint && isHeld && { constraint }) },
      { signal },
    )
  } catch (error) {
    if (error instanceof LoamError && error.code === 'CONTEXT_OVERFLOW') return null
    throw error
  }
}

/**
 * Asks the next question of a probe, greedily, and passes over what is not needed before it.
 *
 * @returns the answers with the new ones; the same where nothing is left
 */
export async function askNext(
  model: Pick<LanguageModel, 'generate' | 'can'>,
  probe: Probe,
  before: ProbeAnswers,
  signal: AbortSignal,
): Promise<ProbeAnswers> {
  const answers = probe.forms.map((_, form) => [...(before[form] ?? [])])
  for (let next = nextOf(probe, answers); next !== null; next = nextOf(probe, answers)) {
    const { form, question } = next
    if (!isSettled(probe, answers, form, question.kind)) {
      const reply = await ask(model, question.request(form), signal)
      answers[form]?.push(reply !== null && question.isRight(reply))
      return answers
    }
    answers[form]?.push(null)
  }
  return answers
}

/** How each form did, by kind of question. */
export const talliesOf = (probe: Probe, answers: ProbeAnswers) =>
  probe.forms.map((form, at) => ({
    form,
    kinds: Object.fromEntries(
      [...new Set(questionsOf(probe).map(({ kind }) => kind))].map((kind) => {
        const own = questionsOf(probe).flatMap((question, i) =>
          question.kind === kind ? [answers[at]?.[i] ?? null] : [],
        )
        const rightCount = own.filter((right) => right === true).length
        return [kind, { asked: own.filter((right) => right !== null).length, right: rightCount }]
      }),
    ),
  }))
