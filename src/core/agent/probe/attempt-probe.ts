import { ATTEMPT_FORM_WORDS, ATTEMPT_FORMS, type AttemptForm } from '../../../shared/domain/model-profile'
import { NO_USAGE } from '../../../shared/domain/usage'
import type { ChatMessage } from '../../ground/chat'
import { NOTHING_RECALLED, type RecalledPart } from '../../ground/method'
import { buildMessages, retell } from '../../ground/prompt'
import { heldReply, SQL_STATEMENT, type ActionForm } from '../../ground/replies/held-form'
import { turnsOf } from '../earlier-turns'
import type { Probe, ProbeQuestion } from './probe'

type Task = readonly [instruction: string, statement: string]

const SYSTEM_PROMPT = `You work on a database. Do what the task says with one SQL statement. Reply:
Action: Operation
\`\`\`sql
SELECT ...;
\`\`\``
const TABLE = 'Table pots(name TEXT, size INT, place TEXT)'

/** Solved attempts that are recalled, the best last, and other tasks that are asked with them. */
const BLOCKS: readonly { readonly solved: readonly Task[]; readonly tasks: readonly Task[] }[] = [
  {
    solved: [
      ['Which size has the pot Comet?', "SELECT size FROM pots WHERE name = 'Comet';"],
      ['Delete the pot Tides.', "DELETE FROM pots WHERE name = 'Tides';"],
    ],
    tasks: [
      ['Delete the pot Brum.', "DELETE FROM pots WHERE name = 'Brum'"],
      ['In which place is the pot Fern?', "SELECT place FROM pots WHERE name = 'Fern'"],
      ['Delete all pots of size 3.', 'DELETE FROM pots WHERE size = 3'],
      ['Which pots are in the hall?', "SELECT name FROM pots WHERE place = 'hall'"],
    ],
  },
  {
    solved: [
      ['Add the pot Osric of size 4 in the hall.', "INSERT INTO pots VALUES ('Osric', 4, 'hall');"],
      ['Set the size of the pot Lark to 9.', "UPDATE pots SET size = 9 WHERE name = 'Lark';"],
    ],
    tasks: [
      ['Set the size of the pot Amber to 5.', "UPDATE pots SET size = 5 WHERE name = 'Amber'"],
      ['Add the pot Vesta of size 7 in the kitchen.', "INSERT INTO pots VALUES ('Vesta', 7, 'kitchen')"],
      ['Set the place of the pot Dune to attic.', "UPDATE pots SET place = 'attic' WHERE name = 'Dune'"],
      ['Delete the pot Quill.', "DELETE FROM pots WHERE name = 'Quill'"],
    ],
  },
]
/** Room for one action. */
const ACTION_TOKENS = 40

const write = (_name: string, { sql }: Readonly<Record<string, unknown>>): string =>
  `Action: Operation\n\`\`\`sql\n${String(sql)}\n\`\`\``

const FORM: ActionForm = {
  tools: [
    {
      name: 'execute_sql',
      description: '',
      inputSchema: { type: 'object', properties: { sql: { type: 'string' } }, required: ['sql'] },
    },
  ],
  write,
  texts: { execute_sql: SQL_STATEMENT },
}

/** A solved attempt as it is retold. */
const asText = ([instruction, sql]: Task): RecalledPart => ({
  text: retell({
    instruction,
    reward: 1,
    rounds: [{ completion: write('', { sql }), observation: null }],
  }),
  item: {
    ...{ kind: 'case', id: instruction, trajectoryId: null, title: instruction },
    ...{ score: null, scoreKind: 'likeness', reward: 1 },
  },
})

/** A solved attempt as earlier turns. */
const asTurns = ([instruction, sql]: Task): ChatMessage[] =>
  turnsOf({
    task: { id: '', index: 0, environment: '', skills: [], instruction, context: TABLE },
    rounds: [
      {
        index: 0,
        completion: write('', { sql }),
        action: { kind: 'operation', content: sql },
        observation: null,
        usage: NO_USAGE,
      },
    ],
  })

const messagesIn = (form: AttemptForm, solved: readonly Task[], instruction: string): ChatMessage[] =>
  buildMessages({
    systemPrompt: SYSTEM_PROMPT,
    parts: { ...NOTHING_RECALLED, retrieved: form === 'text' ? solved.map(asText) : [] },
    earlier: form === 'turns' ? solved.flatMap(asTurns) : [],
    instruction,
    context: TABLE,
    rounds: [],
  })

/** The first statement of a reply without what may be written this way or that: quotes, case, blanks, and all columns of a table by name. */
const plain = (text: string): string =>
  (/```sql\n([^`;]*)/.exec(text)?.[1] ?? text)
    .toLowerCase()
    .replace(/["`]/g, "'")
    .replace(/;.*$/s, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),=]) ?/g, '$1')
    .replace(/\(name,size,place\)\s?/, ' ')
    .trim()

/** In which form solved attempts at other tasks help a model with a task, or whether it does better without. */
export const attemptProbe: Probe = {
  id: 'attempts',
  version: 1,
  activity: 'Asking for actions on made-up tables',
  forms: ATTEMPT_FORMS.map((form) => `attempts ${ATTEMPT_FORM_WORDS[form]}`),
  blocks: BLOCKS.map(({ solved, tasks }) =>
    tasks.map(([instruction, statement]): ProbeQuestion => ({
      kind: 'tasks',
      request: (form) => ({
        messages: messagesIn(ATTEMPT_FORMS[form] ?? 'turns', solved, instruction),
        maxTokens: ACTION_TOKENS,
        constraint: heldReply(FORM, 'opening'),
      }),
      isRight: ({ text }) => plain(text) === plain(statement),
    })),
  ),
}
