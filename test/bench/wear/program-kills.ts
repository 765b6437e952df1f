import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GenerateRequest, LanguageModel } from '../../../src/core/ground/chat'
import type { Rng } from '../../../src/core/ground/random'
import { startModelServer } from '../../fixtures/model-server'
import { startProxy, type RunningProxy } from '../../fixtures/proxy-agent'
import { gone } from '../../main/cli/loam-process'
import { childrenOf, connectTo, startHeadless } from '../../main/headless-process'
import { openWorn, type Place } from './folder'
import { freshCopy, lookAfter, type Kill } from './kills'

/** Milliseconds that the tool computes, and within which its server is killed after the ask began. */
const TOOL_MS = 700
const TOOL_WITHIN = 2500
/** Milliseconds between two pieces of a reply, and within which the proxy is killed after the second request began. */
const PIECE_MS = 40
const PROXY_WITHIN = 900
const REPLY = 'The harbour has twelve boats, four sheds, two cranes and a light that is seen from the hill.'
const CODE = `const until = Date.now() + ${TOOL_MS}; while (Date.now() < until); 6 * 7`

const scripted = (generate: LanguageModel['generate']): LanguageModel => ({
  ...{ name: 'made-up', path: 'made-up', contextSize: 32_768 },
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  generate,
})
const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }

/** Computes once, then tells what the tool said. */
const calling = scripted(({ messages, tools = [] }: GenerateRequest, { onToken } = {}) => {
  const last = messages.at(-1)
  const tool = tools.find(({ name }) => name.endsWith('run_javascript'))
  if (last?.role !== 'tool' && tool)
    return Promise.resolve({
      ...{ text: '', finish: 'tool-calls' as const, usage },
      toolCalls: [{ id: 'c1', name: tool.name, arguments: { code: CODE } }],
    })
  const text = `The tool said: ${last?.role === 'tool' ? last.content : 'nothing'}`
  onToken?.(text)
  return Promise.resolve({ text, finish: 'end', usage })
})

/** Every process below one, nearest first; those that end meanwhile are left out. */
function descendants(pid: number): number[] {
  let direct: number[] = []
  try {
    direct = childrenOf(pid)
  } catch {
    // It is gone.
  }
  return direct.flatMap((child) => [child, ...descendants(child)])
}

async function toolServersOf(pid: number): Promise<number[]> {
  const all: number[] = []
  for (const child of childrenOf(pid)) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('mcp/index') && command.includes('code')) all.push(child)
  }
  return all
}

/** An ask uses a tool whose server is killed with -9. The ask has to end with words for it, and the next one has to get its tool. */
export async function killToolServer(place: Place, random: Rng): Promise<Kill> {
  const data = await freshCopy(place)
  const server = await startModelServer('made-up', calling)
  const host = startHeadless(data)
  const afterMs = random.int(TOOL_WITHIN)
  const wrong: string[] = []
  let wasOver = true
  let askId = ''
  try {
    const { client, closed } = await connectTo(await host.url)
    closed.catch(() => undefined)
    const answerTo = async (id: string): Promise<string> => {
      for (;;) {
        const { ask, attempts } = await client.asks.get({ askId: id })
        const { question, reason, finish } = attempts.at(-1)?.trajectory ?? {}
        if (ask.status === 'done') return question?.answer ?? `no answer: ${reason ?? finish ?? ''}`
        if (ask.status !== 'waiting' && ask.status !== 'working')
          return `${ask.status}: ${ask.problem?.cause ?? ''}`
        await sleep(50)
      }
    }
    const order = {
      text: 'How much is six times seven?',
      model: `openai:made-up@${server.url}`,
      tools: ['code'],
    }
    askId = (await client.asks.start(order)).id
    await sleep(afterMs)
    const servers = await toolServersOf(host.child.pid ?? 0)
    const below = servers.flatMap((pid) => [pid, ...descendants(pid)])
    wasOver = servers.length === 0
    for (const pid of servers) process.kill(pid, 'SIGKILL')
    const answer = await answerTo(askId)
    const isTold = /^The tool said: .*(?:\b42\b|was lost|could not be reached)|could not be started/s.test(
      answer,
    )
    if (!isTold) wrong.push(`the ask ended in: ${answer.slice(0, 200)}`)
    const next = await answerTo((await client.asks.start(order)).id)
    if (!/^The tool said: .*\b42\b/s.test(next)) wrong.push(`the next ask ended in: ${next.slice(0, 200)}`)
    const areGone = await Promise.race([
      Promise.all(below.map(gone)).then(() => true),
      sleep(5000).then(() => false),
    ])
    if (!areGone) wrong.push('a process stays')
  } finally {
    host.child.kill('SIGTERM')
    await host.ended
    await server.close()
  }
  const { lost, wrong: others } = await lookAfter(data, place, 'tool server', { askId })
  return { work: 'tool server', afterMs, wasOver, lost, wrong: [...wrong, ...others] }
}

/** Sends one request and answers what came; `ended` is false where the stream broke off. */
async function send(
  { baseUrl, key }: RunningProxy,
  content: string,
): Promise<{ readonly text: string; readonly ended: boolean; readonly attempt: string }> {
  let raw = ''
  try {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'made-up', stream: true, messages: [{ role: 'user', content }] }),
    })
    for await (const chunk of response.body ?? []) raw += Buffer.from(chunk as Uint8Array).toString('utf8')
  } catch {
    // It was killed.
  }
  const lines = raw.split('\n').flatMap((line) => (line.startsWith('data: {') ? [line.slice(6)] : []))
  const pieces = lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as { id?: string; choices?: { delta?: { content?: string } }[] }]
    } catch {
      return []
    }
  })
  const text = pieces.map(({ choices }) => choices?.[0]?.delta?.content ?? '').join('')
  return { text, ended: raw.includes('data: [DONE]'), attempt: pieces[0]?.id ?? '' }
}

/**
 * A program is answered through the proxy, says that it went well, asks again, and the proxy is killed with -9 while it streams. What was told
 * has to be in the memory once, the stream may not look whole, and a new proxy has to answer the same request.
 */
export async function killProxy(place: Place, random: Rng): Promise<Kill> {
  const data = await freshCopy(place)
  const writing = scripted(async (_, { onToken } = {}) => {
    for (const piece of REPLY.split(/(?= )/)) {
      await sleep(PIECE_MS)
      onToken?.(piece)
    }
    return { text: REPLY, finish: 'end', usage }
  })
  const server = await startModelServer('made-up', writing)
  const afterMs = random.int(PROXY_WITHIN)
  const wrong: string[] = []
  const lost: string[] = []
  let wasOver = false
  const open = (): Promise<RunningProxy> =>
    startProxy('--memory', 'mine', '--data', data, '--model', `openai:made-up@${server.url}`)
  try {
    const proxy = await open()
    const first = await send(proxy, 'How many boats has the harbour?')
    if (!first.ended || first.text !== REPLY) wrong.push(`the first reply was: ${first.text}`)
    const told = await fetch(`${proxy.baseUrl}/loam/attempts/${first.attempt}/outcome`, {
      method: 'POST',
      headers: { authorization: `Bearer ${proxy.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ outcome: 'success' }),
    })
    if (!told.ok) wrong.push(`the outcome was refused: ${await told.text()}`)
    const second = send(proxy, 'Write down what the light is seen from.')
    await sleep(afterMs)
    await proxy.kill()
    const { ended, text } = await second
    wasOver = ended
    if (ended && text !== REPLY) wrong.push(`a reply that was cut looks whole: ${text}`)
    const later = await open()
    const again = await send(later, 'Write down what the light is seen from.')
    if (!again.ended || again.text !== REPLY) wrong.push(`after the kill the reply was: ${again.text}`)
    await later.close()
    const app = await openWorn(data)
    try {
      const memory = await app.memories.open('mine')
      const kept: string[] = []
      for await (const { id, reward } of memory.trajectories())
        if (first.attempt.includes(id) && reward === 1) kept.push(id)
      if (kept.length === 0) lost.push(`the outcome of ${first.attempt}`)
      if (kept.length > 1) wrong.push(`${first.attempt} is there ${kept.length} times`)
    } finally {
      await app.dispose()
    }
  } finally {
    await server.close()
  }
  const after = await lookAfter(data, place, 'proxy')
  return {
    work: 'proxy',
    afterMs,
    wasOver,
    lost: [...lost, ...after.lost],
    wrong: [...wrong, ...after.wrong],
  }
}
