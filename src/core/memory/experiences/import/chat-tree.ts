import type { RowPlace } from '../../../../shared/domain/reading'
import { NO_USAGE, type Round } from '../../../../shared/domain/trajectory'
import { isRecord } from '../../../ground/record'
import { takeThoughts, THOUGHT_MARKS } from '../../../ground/replies/thoughts'
import type { ChatFile, ForeignTry, ForeignTurn } from './foreign-chat'
import { branchOf, foundInDialog, type TreeNode } from './conversations'
import type { DialogAbout } from './dialog'
import type { DialogMessage } from './dialog-message'
import { shorten, type Found } from './log'
import { parsedOr } from './message'

/** A message of a chat as its program keeps it, in a tree: what was written or asked again stands beside what it replaced. */
export interface ChatNode extends TreeNode {
  /** Null for what only stands in the tree. */
  readonly message: DialogMessage | null
  readonly files?: readonly ChatFile[]
}

const PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,/

/** A file by its name, with what is in it where an address holds that: `data:image/png;base64,...`. */
export function chatFile(name: string | null, address: unknown): ChatFile {
  const picture = typeof address === 'string' ? PICTURE.exec(address) : null
  return {
    name: name ?? (picture ? `picture.${picture[1] ?? ''}` : 'a file without a name'),
    base64: picture && typeof address === 'string' ? address.slice(picture[0].length) : null,
  }
}

/** What is known of a chat beside its messages. */
export interface ChatAbout extends DialogAbout {
  readonly program: string
  readonly title: string | null
  /** Default: `sourceId`. */
  readonly chatId?: string | null
}

/** Branches of one chat that become conversations of their own, and tries of one message. */
const MOST_BRANCHES = 20
/** Longest message of a person; a longer one is cut, which it says. */
const LONGEST_MESSAGE = 199_000

/** A chat as a reader gives it: its branch that is open as a conversation, those that others leave it for as further ones, and its attempts. */
export function* foundInChat(
  place: RowPlace,
  nodes: readonly ChatNode[],
  leaf: string | null,
  about: ChatAbout,
): Generator<Found> {
  const { program, title, chatId, ...rest } = about
  const open = branchOf(nodes, leaf)
  const tree = treeOf(nodes)
  const shared = { program, createdAt: about.createdAt ?? null }
  let count = 0
  for (const branch of branchesOf(tree, open)) {
    const turns = turnsOf(tree, branch)
    if (turns.length === 0) break
    const [id, name] = [chatId ?? about.sourceId ?? null, title ?? null]
    if (++count > MOST_BRANCHES) {
      yield { kind: 'left', place, why: `the conversation has more than ${MOST_BRANCHES} branches` }
      break
    }
    const suffix = branch === open ? '' : (branch.at(-1)?.id ?? '')
    yield {
      ...{ kind: 'chat', place },
      chat: {
        ...shared,
        sourceId: id === null || suffix === '' ? id : `${id}/${suffix}`,
        title: name === null || suffix === '' ? name : `${name} (branch)`,
        turns,
      },
    }
  }
  yield* foundInDialog(
    place,
    open.flatMap(({ message }) => message ?? []),
    rest,
  )
}

/** A tree of messages, and which of the person's stand in a conversation already. */
interface Tree {
  readonly nodes: ReadonlyMap<string, ChatNode>
  /** By parent; null for first ones. */
  readonly children: ReadonlyMap<string | null, readonly ChatNode[]>
  readonly shown: Set<string>
}

function treeOf(all: readonly ChatNode[]): Tree {
  const nodes = new Map(all.map((node) => [node.id, node]))
  const children = new Map<string | null, ChatNode[]>()
  for (const node of nodes.values()) {
    const parent = parentIn(nodes, node)
    const siblings = children.get(parent)
    if (siblings) siblings.push(node)
    else children.set(parent, [node])
  }
  return { nodes, children, shown: new Set() }
}

const parentIn = (nodes: Tree['nodes'], { parent }: ChatNode): string | null =>
  parent !== null && nodes.has(parent) ? parent : null

/** Whether a person said or handed something there. */
const isPerson = ({ message, files = [] }: ChatNode): boolean =>
  message?.role === 'user' && (message.text.trim() !== '' || files.length > 0)

/** The branch that is open, then those that hold messages of the person that no branch before has. */
function* branchesOf(tree: Tree, open: readonly ChatNode[]): Generator<readonly ChatNode[]> {
  yield open
  const all = [...tree.nodes.values()]
  for (const node of all) {
    if (!isPerson(node) || tree.shown.has(node.id)) continue
    const visited = new Set<string>()
    let leaf = node
    for (let next: ChatNode | undefined = node; next && !visited.has(next.id);) {
      visited.add((leaf = next).id)
      next = tree.children.get(next.id)?.at(-1)
    }
    const branch = branchOf(all, leaf.id)
    // Other words that nobody answered are not kept.
    if (branch.slice(branch.indexOf(node)).some((one) => !isPerson(one) && isSaid(one))) yield branch
    tree.shown.add(node.id)
  }
}

/** Messages of the person before anything was answered, and what was answered to them. */
interface Stretch {
  readonly own: ChatNode[]
  readonly answer: ChatNode[]
}

/** The messages of the person along a branch, each with its answers; other answers where no branch before has them. */
function turnsOf(tree: Tree, branch: readonly ChatNode[]): ForeignTurn[] {
  const stretches: Stretch[] = []
  for (const node of branch) {
    const last = stretches.at(-1)
    if (isPerson(node)) {
      if (last && !last.answer.some(isSaid)) last.own.push(node)
      else stretches.push({ own: [node], answer: [] })
    } else last?.answer.push(node)
  }
  return stretches.flatMap(({ own, answer }) => {
    const [first, last] = [own[0], own.at(-1)]
    if (!first || !last) return []
    const isNew = !tree.shown.has(first.id)
    for (const { id } of own) tree.shown.add(id)
    const others = isNew ? [...otherWords(tree, first), ...otherAnswers(tree, last, null, answer.at(-1))] : []
    return {
      text: wordsOf(own),
      time: first.message?.time ?? null,
      files: own.flatMap(({ files = [] }) => files),
      tries: [...others, tryOf(answer, null)].filter((one) => one !== null),
    }
  })
}

const isSaid = ({ message }: ChatNode): boolean => message !== null && message.role !== 'system'

function wordsOf(own: readonly ChatNode[]): string {
  const text = own
    .map(({ message }) => message?.text.trim() ?? '')
    .filter((words) => words !== '')
    .join('\n\n')
  const names = own.flatMap(({ files = [] }) => files.map(({ name }) => name))
  return shorten(text === '' ? names.join(', ') : text, LONGEST_MESSAGE)
}

/** The same message in the person's other words, each with what was answered to it. */
function* otherWords(tree: Tree, node: ChatNode): Generator<ForeignTry> {
  for (const other of tree.children.get(parentIn(tree.nodes, node)) ?? []) {
    if (other === node || !isPerson(other) || tree.shown.has(other.id)) continue
    const tries = otherAnswers(tree, other, wordsOf([other]))
    if (tries.length > 0) tree.shown.add(other.id)
    yield* tries
  }
}

/** What was answered to a message, but for the answer that ends at `except`. `text`: the message in other words. */
function otherAnswers(tree: Tree, node: ChatNode, text: string | null, except?: ChatNode): ForeignTry[] {
  const visited = new Set<string>()
  const tries: ForeignTry[] = []
  const answersTo = ({ id }: ChatNode): ChatNode[] =>
    (tree.children.get(id) ?? []).filter((child) => !isPerson(child)).reverse()
  const queue = answersTo(node)
  for (let end = queue.pop(); end && tries.length < MOST_BRANCHES; end = queue.pop()) {
    if (visited.has(end.id)) continue
    visited.add(end.id)
    const next = answersTo(end)
    queue.push(...next)
    if (next.length > 0 || end === except) continue
    const chain: ChatNode[] = []
    for (let at: ChatNode | undefined = end; at && at !== node; at = tree.nodes.get(at.parent ?? ''))
      chain.push(at)
    const answer = tryOf(chain.reverse(), text)
    if (answer) tries.push(answer)
  }
  return tries
}

/** Messages of a model and its tools as one try; null where they say nothing. */
function tryOf(chain: readonly ChatNode[], text: string | null): ForeignTry | null {
  const messages = chain.flatMap(({ message }) => message ?? []).filter(({ role }) => role !== 'system')
  const rounds = roundsOf(messages)
  if (rounds.length === 0) return null
  const own = messages.filter(({ role }) => role === 'agent')
  const last = own.at(-1)
  return {
    text,
    time: last?.time ?? null,
    model: own.findLast(({ model }) => (model ?? null) !== null)?.model ?? null,
    rounds,
  }
}

/** What a model did, step by step: its calls with what they answered, and what it said at the end. */
function roundsOf(messages: readonly DialogMessage[]): Round[] {
  const rounds: Round[] = []
  let [words, thoughts]: [string[], string[]] = [[], []]
  const add = (round: Pick<Round, 'action'> & Partial<Round>): void => {
    const thought = thoughts.join('\n\n').trim()
    rounds.push({
      ...{ index: rounds.length, completion: '', observation: null, usage: NO_USAGE },
      ...(thought !== '' && { thought }),
      ...round,
    })
    ;[words, thoughts] = [[], []]
  }
  const say = (text: string): void => {
    if (text.trim() !== '') words.push(text.trim())
  }
  for (const { text, thought = '', calls = [], results = [], role } of messages) {
    if (thought.trim() !== '') thoughts.push(thought)
    const speaksAfter = results.length > 0
    if (role === 'agent' && !speaksAfter) say(text)
    for (const { id, tool, given } of calls) {
      const value = typeof given === 'string' ? parsedOr(given) : given
      const input = isRecord(value) ? value : { input: value }
      const speech = words.join('\n\n')
      add({
        completion: speech,
        call: { id: id ?? `call-${rounds.length}`, name: tool, arguments: input, said: speech },
        action: { kind: 'operation', content: `${tool} ${JSON.stringify(input)}` },
      })
    }
    for (const result of results) {
      const at = rounds.findIndex(
        ({ call, observation }) =>
          call && observation === null && (result.id === null || result.id === call.id),
      )
      const round = rounds[at]
      if (round)
        rounds[at] = {
          ...{ ...round, observation: result.text, from: 'tool' as const },
          ...(result.failed && { failed: true as const }),
        }
    }
    if (role === 'agent' && speaksAfter) say(text)
  }
  const reply = words.join('\n\n')
  // Thoughts that a program keeps within what was said.
  const { text, thought } = THOUGHT_MARKS.some(([open]) => reply.startsWith(open))
    ? takeThoughts(reply)
    : { text: reply, thought: null }
  if (thought !== null) thoughts.push(thought)
  const answer = text.trim()
  if (answer !== '') add({ completion: answer, action: { kind: 'answer', content: answer } })
  return rounds
}
