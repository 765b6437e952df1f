import { askCommand } from './commands/ask'
import { asksCommand, judgeAsk, showAsk } from './commands/asks'
import type { Declared } from './commands/command'
import { one } from './declare-command'

/** Asks: one task at a time, gone on with, looked at and judged. */
export const ASK_COMMANDS: readonly Declared[] = [
  one(
    'ask',
    'TASK',
    'have one task done with what a memory knows; in the world of a task with --stream',
    askCommand,
    'memory',
    'project',
    'model',
    'file',
    'tools',
    'plan',
    'method',
    'k',
    'no-memory',
    'no-own-files',
    'stream',
    'task',
    'in',
    'continue',
    'gpu-layers',
  ),
  one('asks', '[WORDS]', 'list the asks, or those that hold some words', asksCommand),
  one('asks show', 'ID', 'what was said in an ask, with every try', showAsk),
  one(
    'asks judge',
    'ID [right|partly|wrong]',
    'say whether an answer was right, and learn from it; without a verdict the model of the ask judges',
    judgeAsk,
    'try',
    'correct',
    'wrong-at',
    'because',
  ),
]
