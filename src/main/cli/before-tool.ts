import { causesOf, heldText } from '../../core/recall/told-cause'
import { findDataPath } from '../ground/data-path'
import { readHookNote, tellOnce, type HookOwner } from '../share/connect/hook-notes'
import { hookEventOf, hookInput, type HookEvent } from './hook-event'

/** An option of a hook's command, as "loam connect" writes it. */
const optionOf = (argv: readonly string[], name: string): string | undefined => {
  const index = argv.indexOf(`--${name}`)
  return index < 0 ? undefined : argv[index + 1]
}

/** Whose hook a command is, and where what it needs is kept. */
export const hookPlace = (
  argv: readonly string[],
): { readonly dataPath: string; readonly owner: HookOwner } => {
  const part = (name: string): string => optionOf(argv, name) ?? ''
  return {
    dataPath: findDataPath(optionOf(argv, 'data')),
    owner: { client: part('client'), memory: part('memory'), project: part('project') },
  }
}

/** What is known of a call, as a program takes it that is not to make the call. */
function refusalTo(name: string, text: string): object {
  switch (name) {
    case 'BeforeTool':
      return { decision: 'deny', reason: text }
    case 'preToolUse':
      return { permission: 'deny', agent_message: text, user_message: text }
    default:
      return {
        hookSpecificOutput: {
          hookEventName: name,
          permissionDecision: 'deny',
          permissionDecisionReason: text,
        },
      }
  }
}

/** What a program is told before a call; null where nothing is known, or this session was told it before. */
export async function answerBeforeCall(
  { name, session, ...call }: HookEvent,
  { dataPath, owner }: ReturnType<typeof hookPlace>,
): Promise<object | null> {
  // Who cannot be told apart would be told it again and again.
  if (session === '') return null
  const news = []
  for (const cause of causesOf(await readHookNote(dataPath, owner), call))
    if (await tellOnce(dataPath, session, cause.id)) news.push(cause.text)
  return news.length === 0 ? null : refusalTo(name, heldText(news))
}

/** Writes the answer. Where it cannot be had, that is said and the call goes on: no program stands still for what Loam keeps. */
async function tellBeforeCall(event: HookEvent, place: ReturnType<typeof hookPlace>): Promise<void> {
  try {
    const answer = await answerBeforeCall(event, place)
    if (answer) await new Promise((resolve) => process.stdout.write(`${JSON.stringify(answer)}\n`, resolve))
  } catch (error) {
    process.stderr.write(
      `loam hook: what is known of this call cannot be told: ${error instanceof Error ? error.message : String(error)}\nIt is written anew when a session begins.\n`,
    )
  }
}

/** Answers hooks that run around every call of a tool, without opening a memory; false where the memory has to be asked. */
export async function answeredAtOnce(argv: readonly string[]): Promise<boolean> {
  let event: HookEvent
  try {
    event = hookEventOf(await hookInput())
  } catch {
    // Said in words by the command.
    return false
  }
  if (event.moment === 'before') {
    await tellBeforeCall(event, hookPlace(argv))
    return true
  }
  return event.moment === null || (event.moment === 'after' && event.error === null)
}
