/** What a reply says to do, in LifelongAgentBench's grammar for databases. */
export type LabDbAction =
  | { readonly kind: 'operation'; readonly content: string }
  | { readonly kind: 'answer'; readonly content: string }
  | { readonly kind: 'invalid'; readonly reason: string }

const ACTION = /Action: (Operation|Answer)/
const SQL_FENCE = '```sql\n'
const FENCE_END = '\n```'
/** Blanks, brackets and comments before a statement. */
const BEFORE_STATEMENT = /^(?:\s|\(|--[^\n]*\n|#[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*/
const STATEMENT =
  /^(?:select|insert|update|delete|replace|create|alter|drop|truncate|show|describe|desc|explain|set|use|call|start|begin|commit|rollback|rename|analyze|load)\b(?!\s*[=.(:])/i
const COMMON_TABLE = /^with\s[^;]{1,200}?\bas\s*\(/i

/** Whether code begins as statements of MySQL do, which a program in another language does not. */
export function beginsAsStatement(code: string): boolean {
  const statement = code.replace(BEFORE_STATEMENT, '')
  return STATEMENT.test(statement) || COMMON_TABLE.test(statement)
}

const FINAL_ANSWER = /\nFinal Answer:(.*)/

/**
 * Reads a reply by the benchmark's own rules: the first `Action: Operation|Answer` anywhere decides; an operation takes
 * the first ```sql fence anywhere in the reply (its lines joined by memories), an answer the rest of the first line that
 * starts with `Final Answer:`. Everything around them is free text. The reasons are the benchmark's own words.
 */
export function parseAction(reply: string): LabDbAction {
  const action = ACTION.exec(reply)
  if (action === null) {
    return {
      kind: 'invalid',
      reason: 'Can not find action in agent response. Pattern: "Action: (Operation|Answer)\\n',
    }
  }
  if (action[1] === 'Operation') {
    const from = reply.indexOf(SQL_FENCE)
    const end = from < 0 ? -1 : reply.indexOf(FENCE_END, from + SQL_FENCE.length)
    if (end < 0) {
      return {
        kind: 'invalid',
        reason: 'Can not find SQL in agent response. Pattern: "```sql\\n([\\s\\S]*?)\\n```',
      }
    }
    return {
      kind: 'operation',
      content: reply
        .slice(from + SQL_FENCE.length, end)
        .trim()
        .replaceAll('\n', ' '),
    }
  }
  const answer = FINAL_ANSWER.exec(reply)
  if (answer === null) {
    return {
      kind: 'invalid',
      reason: 'Can not find final answer in agent response. Pattern: \\nFinal Answer:(.*)',
    }
  }
  return { kind: 'answer', content: (answer[1] ?? '').trim() }
}
