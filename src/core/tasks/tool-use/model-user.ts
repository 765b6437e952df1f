import { hash32 } from '../../ground/random'
import type { ChatMessage } from '../../ground/ports'
import type { AttemptPorts } from '../../ground/environment'
import { callsInText } from '../../ground/replies/read-reply'
import type { ToolInfo } from '../../ground/tools'
import type { PastMessage, UserScenario } from './entry'
import { parseToolUse, writeCall } from './grammar'
import type { UserHands } from './user-tools'
import { openingOf, type SimulatedUser } from './user'

/** What the model writes, in the user's role, to leave the conversation. */
export const STOP = '###STOP###'

const MAX_TOKENS = 200

/** The scenario as the model is told it. */
function scenarioText({ persona, instructions }: UserScenario): string {
  if (typeof instructions === 'string') return [persona, instructions].filter(Boolean).join('\n')
  const { reason_for_call, known_info, unknown_info, task_instructions } = instructions
  return [
    persona && `Who you are: ${persona}`,
    `Why you are here: ${reason_for_call}`,
    known_info && `What you know: ${known_info}`,
    unknown_info && `What you do not know: ${unknown_info}`,
    task_instructions && `How you behave: ${task_instructions}`,
  ]
    .filter(Boolean)
    .join('\n')
}

/** The tools of the user's side, and how they are used. */
const toolsText = ({ tools }: UserHands): string =>
  [
    'On your side you have tools. Use one only when the agent asks for it or when you need it to answer, one at a time, and tell the agent nothing about it that it did not show. To use one, reply with nothing but:',
    writeCall('NAME', {}),
    ...tools.map(
      ({ name, description, inputSchema }) =>
        `${name}: ${description} Arguments: ${JSON.stringify(inputSchema)}`,
    ),
  ].join('\n')

/** What ends the conversation when the user writes it. */
const ENDS = [STOP, '###TRANSFER###', '###OUT-OF-SCOPE###'] as const

/** Tools used behind one message of the agent, at most. */
const MOST_USES = 10

/** The use of a tool that a reply asks for; null when it says something instead. */
function usedTool(text: string, tools: readonly ToolInfo[]): { name: string; args: unknown } | null {
  const isKnown = (name: string) => tools.some((tool) => tool.name === name)
  const action = parseToolUse(text)
  if (action.kind === 'call' && isKnown(action.name)) return { name: action.name, args: action.args }
  const call = callsInText(text, tools).find(({ name }) => isKnown(name))
  return call ? { name: call.name, args: call.args } : null
}

/** What is said, without what ends the conversation and without a form around it. */
function saidIn(text: string): string {
  const message = parseToolUse(text)
  const saidMessage = message.kind === 'message' ? message.content : text
  return ENDS.reduce((restText, mark) => restText.replaceAll(mark, ''), saidMessage).trim()
}

/**
 * A model in the user's role, with `template` and the scenario as its system prompt. Greedy, so a user repeats itself for a repeated agent.
 * With `hands`, it may use the tools of the user's side before it answers; `past` is what was said before.
 */
export function modelUser(
  scenario: UserScenario,
  template: string,
  taskId: string,
  { model, seed, signal }: AttemptPorts,
  {
    hands,
    past = [],
  }: { readonly hands?: UserHands | undefined; readonly past?: readonly PastMessage[] } = {},
): SimulatedUser {
  const opening = openingOf(scenario)
  const system = [template, scenarioText(scenario), ...(hands ? [toolsText(hands)] : [])].join('\n\n')
  // In this conversation the model is the user: the agent's words are what it is told.
  const before = past.flatMap(({ role, content }): ChatMessage[] =>
    !content || role === 'tool' ? [] : [{ role: role === 'user' ? 'assistant' : 'user', content }],
  )
  const messages: ChatMessage[] = [
    { role: 'system', content: system },
    ...(before.length > 0 ? before : [{ role: 'user' as const, content: 'Hello, how can I help you?' }]),
    { role: 'assistant', content: opening },
  ]
  const ask = async (): Promise<string> => {
    const { text } = await model.generate(
      {
        messages,
        temperature: 0,
        seed: hash32(`${seed}/${taskId}/user/${messages.length}`),
        maxTokens: MAX_TOKENS,
      },
      { signal },
    )
    messages.push({ role: 'assistant', content: text })
    return text
  }
  return {
    opening,
    async reply(message) {
      messages.push({ role: 'user', content: message })
      let text = await ask()
      for (let uses = 0; hands && uses < MOST_USES; uses++) {
        const use = usedTool(text, hands.tools)
        if (!use) break
        messages.push({
          role: 'user',
          content: `What ${use.name} shows you:\n${hands.use(use.name, use.args)}`,
        })
        text = await ask()
      }
      const last = hands && usedTool(text, hands.tools) ? '' : saidIn(text)
      return { text: last, ends: ENDS.some((mark) => text.includes(mark)) }
    },
  }
}
