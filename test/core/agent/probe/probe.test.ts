import { describe, expect, it } from 'vitest'
import { probesFor } from '../../../../src/core/agent/probe'
import {
  askNext,
  bestForm,
  isProbed,
  probeCount,
  probeSize,
  talliesOf,
  verdictOf,
  type Probe,
  type ProbeAnswers,
} from '../../../../src/core/agent/probe/probe'
import type { GenerateRequest, GenerateResult } from '../../../../src/core/ground/chat'
import {
  ATTEMPT_FORMS,
  FACT_FORMS,
  PROBE_LANGUAGES,
  PROBES,
  type ProbeId,
} from '../../../../src/shared/domain/model-profile'
import { NO_USAGE } from '../../../../src/shared/domain/usage'

type Reply = string | Pick<GenerateResult, 'text' | 'toolCalls'>

/** A model that replies as it is scripted, by what it is asked. */
const scripted = (reply: (request: GenerateRequest) => Reply) => ({
  requests: [] as GenerateRequest[],
  generate(request: GenerateRequest): Promise<GenerateResult> {
    this.requests.push(request)
    const said = reply(request)
    const result = typeof said === 'string' ? { text: said } : said
    return Promise.resolve({ ...result, usage: NO_USAGE, finish: 'end' })
  },
})
type Scripted = Pick<ReturnType<typeof scripted>, 'generate'>

const probes = probesFor({ ask: 'Be brief.', tools: 'Use tools.' })
const probe = (id: ProbeId): Probe => probes.find((one) => one.id === id) as Probe
async function answersOf(model: Scripted, own: Probe, before: ProbeAnswers = []): Promise<ProbeAnswers> {
  let answers = before
  while (!isProbed(own, answers)) answers = await askNext(model, own, answers, new AbortController().signal)
  return answers
}
const textOf = ({ messages }: GenerateRequest): string => messages.map(({ content }) => content).join('\n')
const question = ({ messages }: GenerateRequest): string => messages.at(-1)?.content ?? ''

/** A probe whose forms are right where a line has a 1, question by question. */
const lines = (...by: readonly string[]): { own: Probe; model: Scripted } => {
  const own: Probe = {
    ...{ id: 'facts', version: 1, activity: '', forms: by.map((_, form) => `form ${form}`) },
    blocks: Array.from(by[0] ?? '', (_, i) => [
      {
        kind: 'facts',
        request: (form: number) => ({ messages: [{ role: 'user' as const, content: by[form]?.[i] ?? '' }] }),
        isRight: ({ text }: GenerateResult) => text === '1',
      },
    ]),
  }
  return { own, model: scripted(question) }
}

describe('a probe', () => {
  it('takes another form only where it is ahead beyond chance', async () => {
    const best = async (...by: readonly string[]) => {
      const { own, model } = lines(...by)
      return bestForm(own, await answersOf(model, own))
    }
    expect(await best('1111', '1111')).toBe(0)
    expect(await best('1100', '1111')).toBe(0)
    expect(await best('1000', '1111')).toBe(1)
    expect(await best('10000', '01111')).toBe(0)
    expect(await best('100000', '111100', '111111')).toBe(2)
  })

  it('asks no more of a form that has fallen behind, nor of any where nothing can change', async () => {
    const asked = async (...by: readonly string[]) => {
      const { own, model } = lines(...by)
      const answers = await answersOf(model, own)
      expect(probeCount(answers)).toBe(probeSize(own))
      return answers.map((line) => line.filter((right) => right !== null).length)
    }
    expect(await asked('10101010', '00000000', '11111111')).toEqual([8, 1, 8])
    // Where the usual form had nearly all right, no other can come out ahead.
    expect(await asked('11110011', '11111111')).toEqual([8, 0])
  })

  it('goes on where it was stopped, and one answer is lost at most', async () => {
    const model = scripted(textOf)
    const own = probe('facts')
    let some: ProbeAnswers = []
    for (let i = 0; i < 7; i++) some = await askNext(model, own, some, new AbortController().signal)
    expect(probeCount(some)).toBe(7)
    expect(await answersOf(model, own, some)).toEqual(await answersOf(scripted(textOf), own))
  })

  it('asks each thing for itself, in an order that lets a model read what prompts share once', async () => {
    expect(probes.map(({ id }) => id)).toEqual(PROBES)
    const model = scripted(() => 'nothing of use')
    for (const own of probes) await answersOf(model, own)
    const [first, second] = model.requests.map(textOf)
    expect(second?.slice(0, 60)).toBe(first?.slice(0, 60))
    expect(
      model.requests.every(({ temperature, maxTokens = 99 }) => temperature === 0 && maxTokens < 50),
    ).toBe(true)
  })
})

describe('the probe of facts', () => {
  const formOf = async (reply: (request: GenerateRequest) => Reply) => {
    const own = probe('facts')
    return FACT_FORMS[bestForm(own, await answersOf(scripted(reply), own))]
  }

  it('takes the usual form for a model that reads all', async () => {
    expect(await formOf(textOf)).toEqual(FACT_FORMS[0])
  })

  it('finds turns for a model that reads nothing else', async () => {
    const turns = await formOf(({ messages }) =>
      messages.length > 2
        ? messages
            .slice(1, -1)
            .map(({ content }) => content)
            .join('\n')
        : '',
    )
    expect(turns).toMatchObject({ place: 'turns' })
  })

  it('finds the last place for a model that reads the end of a list alone', async () => {
    const end = await formOf((request) => {
      const items = question(request)
        .split('\n')
        .filter((line) => line.startsWith('- '))
      return items.length === 2 ? (items.at(-1) ?? '') : ''
    })
    expect(end).toMatchObject({ best: 'last', most: 2 })
  })
})

describe('the probe of attempts', () => {
  /** What is right for a task. */
  const solution = (request: GenerateRequest): string => {
    const own = /Task: ([^\n]*)$/.exec(question(request))?.[1] ?? ''
    const [, name = ''] = /pot (\w+)/.exec(own) ?? []
    const sql = own.startsWith('Delete the')
      ? `delete from pots where name="${name}"`
      : own.startsWith('Delete all')
        ? 'DELETE FROM pots WHERE size=3'
        : own.startsWith('In which')
          ? `SELECT place FROM pots WHERE name = '${name}'`
          : own.startsWith('Which')
            ? "SELECT name FROM pots WHERE place = 'hall'"
            : own.startsWith('Add')
              ? `INSERT INTO pots (name, size, place) VALUES ('${name}', 7, 'kitchen')`
              : own.includes('size')
                ? `UPDATE pots SET size = 5 WHERE name = '${name}'`
                : `UPDATE pots SET place = 'attic' WHERE name = '${name}'`
    return `Action: Operation\n\`\`\`sql\n${sql};\n\`\`\``
  }
  const formIn = ({ messages }: GenerateRequest): string =>
    messages.length > 2 ? 'turns' : (messages[1]?.content ?? '').includes('Past attempts:') ? 'text' : 'none'
  const measured = async (solves: (form: string) => boolean) => {
    const model = scripted((request) => (solves(formIn(request)) ? solution(request) : 'Action: Operation'))
    const own = probe('attempts')
    const answers = await answersOf(model, own)
    return { form: ATTEMPT_FORMS[bestForm(own, answers)], tallies: talliesOf(own, answers), model }
  }

  it('takes turns where all forms are alike, however a statement is written', async () => {
    const { form, tallies } = await measured(() => true)
    expect(form).toBe('turns')
    expect(tallies[0]?.kinds['tasks']?.right).toBe(tallies[0]?.kinds['tasks']?.asked)
  })

  it.each(ATTEMPT_FORMS)('finds a model that does well with this alone: %s', async (only) => {
    expect((await measured((form) => form === only)).form).toBe(only)
  })

  it('shows attempts at other tasks, holds replies to an action, and leaves that out where no grammar is known', async () => {
    const { model } = await measured(() => false)
    expect(model.requests.every(({ constraint }) => constraint?.kind === 'gbnf')).toBe(true)
    for (const request of model.requests) {
      const task = question(request).split('Task: ').at(-1) ?? ''
      expect(textOf({ messages: request.messages.slice(0, -1) })).not.toContain(task)
    }
    const free = {
      ...scripted(() => ''),
      can: { tools: true, constraint: 'none', thinking: false, softPrompts: false } as const,
    }
    await askNext(free, probe('attempts'), [], new AbortController().signal)
    expect(free.requests[0]?.constraint).toBeUndefined()
  })
})

describe('the probe of tools', () => {
  const call = (name: string, input: Record<string, unknown>) => ({
    text: '',
    toolCalls: [{ id: 'a', name, arguments: input }],
  })
  const caller = (request: GenerateRequest): Reply => {
    const text = question(request)
    const [sum] = /\d[\d */+]+\d/.exec(text) ?? []
    const [file] = /\w+\.(?:txt|md)/.exec(text) ?? []
    if (sum !== undefined) return call('calculate', { expression: sum.replaceAll(' ', '') })
    return file === undefined ? 'Good morning!' : call('read_document', { path: `./${file}` })
  }
  const verdict = async (reply: (request: GenerateRequest) => Reply) => {
    const model = scripted(reply)
    const answers = await answersOf(model, probe('tools'))
    return { uses: verdictOf(probe('tools'), answers, 'asks'), count: model.requests.length }
  }

  it('passes who calls with the right arguments and answers plainly else', async () => {
    expect(await verdict(caller)).toMatchObject({ uses: true })
  })

  it('fails who never calls, always calls, or calls with something else, after as few questions as that takes', async () => {
    expect(await verdict(() => 'It is 1776.')).toEqual({ uses: false, count: 2 })
    expect(
      (
        await verdict((request) =>
          caller(request) === 'Good morning!' ? call('calculate', {}) : caller(request),
        )
      ).uses,
    ).toBe(false)
    expect((await verdict(() => call('calculate', { expression: '2^10 + sqrt(2)' }))).uses).toBe(false)
    expect((await verdict(() => '{"name": "calculate", "arguments": ')).uses).toBe(false)
  })

  it('is open before enough was asked', () => {
    expect(verdictOf(probe('tools'), [], 'asks')).toBeNull()
  })
})

describe('the probe of languages', () => {
  const inOwn = {
    de: 'Das ist eine Frucht, die an einem Baum wächst.',
    fr: 'C’est un fruit qui pousse dans un arbre.',
    es: 'Es una fruta que crece en un árbol.',
  }
  const languageIn = (text: string) => (/[¿]/.test(text) ? 'es' : /\b(?:ist|man)\b/.test(text) ? 'de' : 'fr')
  const verdicts = async (reply: (text: string) => string) => {
    const answers = await answersOf(
      scripted((request) => reply(question(request))),
      probe('languages'),
    )
    return PROBE_LANGUAGES.map((language) => verdictOf(probe('languages'), answers, language))
  }

  it('tells who answers in the language of the question', async () => {
    expect(await verdicts((text) => inOwn[languageIn(text)])).toEqual([true, true, true])
    expect(await verdicts(() => inOwn.de)).toEqual([true, false, false])
  })

  it('takes no English and no question said again', async () => {
    expect(await verdicts(() => 'The sky is blue because of the light of the sun.')).toEqual([
      false,
      false,
      false,
    ])
    expect(await verdicts((text) => text)).toEqual([false, false, false])
  })
})
