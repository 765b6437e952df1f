import type { Declared } from './commands/command'
import { later, one } from './commands/declare'

// Each file is read when one of its commands runs.
const askFile = () => import('./commands/ask')
const asksFile = () => import('./commands/asks')
const promptsFile = () => import('./commands/prompts')
const projectsFile = () => import('./commands/projects')

/** Commands about asks. */
export const ASK_COMMANDS: readonly Declared[] = [
  one(
    'ask',
    'TASK',
    'have one task done with what a memory knows; in the world of a task with --stream',
    later(askFile, 'askCommand'),
    'memory project model prompt file with-ask tools plan method k instructions temperature top-p max-tokens no-memory no-own-files temporary stream task in continue gpu-layers',
  ),
  one('asks', '[WORDS]', 'list the asks, or those that hold some words', later(asksFile, 'asksCommand')),
  one('asks show', 'ID', 'what was said in an ask, with every try', later(asksFile, 'showAsk')),
  one(
    'asks judge',
    'ID [right|partly|wrong]',
    'say whether an answer was right, and learn from it; without a verdict the model of the ask judges',
    later(asksFile, 'judgeAsk'),
    'try correct wrong-at because',
  ),
  one(
    'asks review',
    undefined,
    'list the answers that wait for a word, where it is worth most first',
    later(asksFile, 'reviewAsks'),
  ),
  one(
    'asks reader',
    undefined,
    'which model reads what you write next, and how that compares with your verdicts',
    later(asksFile, 'showReader'),
  ),
  one(
    'asks edit',
    'ID TEXT',
    'ask a message again in other words; with --as-answer, put TEXT in the place of the answer, and no model is asked',
    later(asksFile, 'editAsk'),
    'try as-answer',
  ),
  one(
    'asks remember',
    'ID [N]',
    'keep as facts what its message told of you in passing; with N only that one',
    later(asksFile, 'rememberAsk'),
    'try',
  ),
  one(
    'asks recalls',
    undefined,
    'what judged asks would be shown now of what the memory held before each, and whether it was right',
    later(asksFile, 'recallsOfAsks'),
    'memory',
  ),
  one('asks branch', 'ID', 'make a new ask of all that led up to a try', later(asksFile, 'branchAsk'), 'try'),
  one(
    'asks remove',
    'ID',
    'delete an ask, or one message or try of it; what was learned from it stays',
    later(asksFile, 'removeAsk'),
    'try message',
  ),
  one(
    'asks restore',
    'ID',
    'bring back a deleted ask, message or try',
    later(asksFile, 'restoreAsk'),
    'try message',
  ),
  one('prompts', undefined, 'list the saved prompts', later(promptsFile, 'promptsCommand')),
  one('prompts show', 'NAME', 'the text of a saved prompt', later(promptsFile, 'showPrompt')),
  one(
    'prompts save',
    'NAME TEXT',
    'keep a text that is used again; "loam ask --prompt NAME" asks it',
    later(promptsFile, 'savePrompt'),
    'replace',
  ),
  one('prompts remove', 'NAME', 'delete a saved prompt', later(promptsFile, 'removePrompt')),
  one(
    'projects',
    undefined,
    'how the asks of each project are answered',
    later(projectsFile, 'projectsCommand'),
  ),
  one(
    'projects set',
    'NAME',
    'say how the asks of a project are answered, from the next answer on',
    later(projectsFile, 'setProject'),
    'instructions temperature top-p max-tokens',
  ),
  one(
    'projects rename',
    'NAME NEW-NAME',
    'call a project otherwise, with all that belongs to it; a name that is taken makes one of both',
    later(projectsFile, 'renameProject'),
  ),
  one(
    'projects reset',
    'NAME',
    'answer the asks of a project as those of none',
    later(projectsFile, 'resetProject'),
  ),
]
