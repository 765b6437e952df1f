import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatTool, LanguageModel } from '../../core/ground/chat'
import type { DeclaredConstraint, OutputConstraint } from '../../core/ground/constraint'
import { settingFields } from '../../core/ground/settings'
import { LoamError } from '../../shared/errors'
import type { ModelProvider, ProviderModule } from '../providers/provider'
import { check, saysSomething, type Check } from './draw'

/** A provider at work, with a model that is there and one that is not. */
export interface ProviderRig {
  readonly provider: ModelProvider
  readonly model: string
  readonly missing: string
  readonly loaded: LanguageModel
}

const getConstraint = (constraint: OutputConstraint): DeclaredConstraint => constraint as DeclaredConstraint
const say = (content: string) => [{ role: 'user' as const, content }]
/** Written until its limit of tokens, whatever the model likes. */
const ENDLESS = getConstraint({ kind: 'gbnf', grammar: 'root ::= [a-z ]+' })
/** Of three thousand letters at least, so that no model ends it by itself. */
const LONG = getConstraint({
  kind: 'gbnf',
  grammar: `root ::= ${Array.from({ length: 30 }, () => 'line').join(' ')}\nline ::= [a-z ]{100}`,
})
const COLOURS = getConstraint({
  kind: 'json-schema',
  schema: { type: 'object', properties: { colour: { enum: ['red', 'green'] } } },
})
const TOOLS: readonly ChatTool[] = [
  {
    name: 'look_up',
    description: 'Looks a word up.',
    inputSchema: { type: 'object', properties: { word: { enum: ['loam', 'sand'] } }, required: ['word'] },
  },
]
/** How long a model may go on after a cancel, in ms: 300 is aimed at, a busy machine gets more. */
const CEASES_WITHIN_MS = 5000
const STORY = 'A long story about soil. '
/** Words of a model that no grammar holds are asked for in so long a text. */
const MUCH = STORY.repeat(40)

/** What every provider has to do, on a real model; what `can` denies is not asked for. */
// oxlint-disable-next-line max-lines-per-function -- a suite is a list of rules, not a function that is read as one
export function providerChecks(module: ProviderModule, rig: () => ProviderRig): Check[] {
  const can = () => rig().loaded.can ?? module.can
  const grammar = () => can().constraint === 'grammar'
  const endless = () =>
    grammar() ? { messages: say('Hello'), constraint: ENDLESS } : { messages: say(MUCH) }
  return [
    check('has words, and settings that are documented', () => {
      saysSomething({ title: module.title })
      assert.match(module.help, /\.$/)
      for (const { key, title, help } of settingFields(module.settings)) saysSomething({ key, title, help })
    }),
    check('lists the model it is asked for, and knows it again', async () => {
      const { provider, model, loaded } = rig()
      assert.ok(
        (await provider.list()).some(({ path }) => path === model),
        `it does not list ${model}`,
      )
      const identity = await provider.identify(model)
      assert.match(identity.sha256, /^[0-9a-f]{64}$/)
      assert.deepEqual(await provider.identify(model), identity)
      assert.ok(loaded.can, 'the model does not say what it can')
      assert.ok(loaded.contextSize > 0)
    }),
    check('streams, counts and says why it ended', async () => {
      const { loaded } = rig()
      const pieces: string[] = []
      const reply = await loaded.generate(
        { ...endless(), maxTokens: 24 },
        { onToken: (piece) => pieces.push(piece) },
      )
      assert.ok(pieces.length > 0, 'nothing was streamed')
      assert.equal(pieces.join(''), reply.text)
      assert.equal(reply.finish, 'max-tokens')
      assert.equal(reply.usage.completionTokens, 24)
      assert.ok(reply.usage.promptTokens > 1)
      const [short = 0, long = 0] = await loaded.countTokens(['Hello', 'Hello, and good night to everyone'])
      assert.ok(short > 0)
      assert.ok(long > short)
    }),
    check('repeats itself under the same seed', async () => {
      const ask = () =>
        rig().loaded.generate({ messages: say('Hello'), temperature: 0.9, seed: 7, maxTokens: 16 })
      assert.equal((await ask()).text, (await ask()).text)
    }),
    check('ceases when it is cancelled, and answers the next one', async () => {
      const { loaded } = rig()
      const controller = new AbortController()
      let pieces = 0
      const long = grammar() ? { messages: say('Go on and on'), constraint: LONG } : { messages: say(MUCH) }
      const writing = loaded.generate(
        { ...long, maxTokens: grammar() ? 900 : 400 },
        {
          signal: controller.signal,
          onToken: () => {
            pieces += 1
            if (pieces === 2) controller.abort()
          },
        },
      )
      await assert.rejects(writing, { name: 'AbortError' })
      const reportCount = pieces
      const freed = performance.now()
      await loaded.generate({ messages: say('Hello'), maxTokens: 1 })
      assert.ok(performance.now() - freed < CEASES_WITHIN_MS, 'it answers late after a cancel')
      assert.equal(pieces, reportCount)
      const never = loaded.generate({ messages: say('Hello') }, { signal: AbortSignal.abort() })
      await assert.rejects(never, { name: 'AbortError' })
      await sleep(20)
      assert.equal(pieces, reportCount)
    }),
    check('calls a tool it is handed, and goes on with its answer', async () => {
      if (!can().tools) return
      const { loaded } = rig()
      const messages = say('What is loam?')
      const reply = await loaded.generate({ messages, tools: TOOLS, toolChoice: 'required', maxTokens: 64 })
      assert.equal(reply.finish, 'tool-calls')
      assert.equal(reply.toolCalls?.length, 1)
      const [call] = reply.toolCalls
      assert.equal(call?.name, 'look_up')
      assert.equal(call.problem, undefined)
      assert.ok(['loam', 'sand'].includes(String(call.arguments['word'])))
      const after = await loaded.generate({
        messages: [
          ...messages,
          { role: 'assistant', content: '', toolCalls: reply.toolCalls },
          { role: 'tool', content: 'Soil of sand, silt and clay.', callId: call.id, name: 'look_up' },
        ],
        maxTokens: 8,
      })
      assert.ok(after.usage.promptTokens > 0)
    }),
    check('keeps to a schema', async () => {
      if (can().constraint === 'none') return
      const { text } = await rig().loaded.generate({
        messages: say('A colour?'),
        constraint: COLOURS,
        maxTokens: 48,
      })
      assert.ok(['red', 'green'].includes((JSON.parse(text) as { colour: string }).colour))
    }),
    check('keeps to a grammar, and ends at a stop text, which it leaves out', async () => {
      if (!grammar()) return
      const { loaded } = rig()
      const yes = getConstraint({ kind: 'gbnf', grammar: 'root ::= "yes" | "no"' })
      const answer = await loaded.generate({ messages: say('Yes?'), constraint: yes, maxTokens: 16 })
      assert.ok(['yes', 'no'].includes(answer.text))
      const ab = getConstraint({ kind: 'gbnf', grammar: 'root ::= "one|two"' })
      const { text } = await loaded.generate({ messages: say('Count'), constraint: ab, stop: ['|'] })
      assert.equal(text, 'one')
    }),
    check('refuses a form that it cannot keep to', async () => {
      if (can().constraint !== 'none') return
      const reply = rig().loaded.generate({ messages: say('A colour?'), constraint: COLOURS })
      await assert.rejects(reply, { code: 'GRAMMAR' })
    }),
    check('works on several dialogs at a time', async () => {
      const { loaded } = rig()
      const replies = await Promise.all(
        ['one', 'two', 'three'].map(() => loaded.generate({ ...endless(), maxTokens: 12 })),
      )
      for (const { usage } of replies) assert.equal(usage.completionTokens, 12)
    }),
    check('says in words that a prompt is too long, and that a model is not there', async () => {
      const { loaded, provider, missing } = rig()
      const long = loaded.generate({ messages: say(STORY.repeat(loaded.contextSize)), maxTokens: 8 })
      await assert.rejects(long, { code: 'CONTEXT_OVERFLOW' })
      const error: unknown = await provider.load(missing, {}).catch((problem: unknown) => problem)
      assert.ok(error instanceof LoamError, 'a missing model is no LoamError')
      assert.notEqual(error.code, 'INTERNAL')
      saysSomething({ suggestion: error.suggestion })
    }),
    check('says that it has no soft prompt, or serves it', async () => {
      if (can().softPrompts) return
      const reply = rig().loaded.generate({ messages: say('Hello'), softPrompt: true })
      await assert.rejects(reply, { code: 'SOFT_PROMPT' })
    }),
  ]
}
