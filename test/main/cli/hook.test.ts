import { expect, it } from 'vitest'
import { answerTo, questionOf } from '../../../src/main/cli/commands/hook'

it('asks the memory at the start of a session and after a failure, at no other moment', () => {
  expect(questionOf({ hook_event_name: 'SessionStart' })).toEqual({})
  expect(questionOf({ hook_event_name: 'sessionStart' })).toEqual({})
  const failure = {
    hook_event_name: 'PostToolUseFailure',
    tool_name: 'Bash',
    tool_input: { command: 'make check' },
    error: `Exit code 2\n${'make: *** No rule to make target. '.repeat(200)}`,
  }
  const question = questionOf(failure)
  expect(question).toMatchObject({ task: 'Bash {"command":"make check"}' })
  expect(question?.error).toHaveLength(2000)
  expect(questionOf({ ...failure, error: ' ' })).toBeNull()
  expect(questionOf({ ...failure, hook_event_name: 'PostToolUse' })).toBeNull()
})

it('answers each program in its own form', () => {
  const text = '<memory from="loam">\nUse two lines.\n</memory>'
  expect(answerTo('SessionStart', 'Use two lines.')).toEqual({
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text },
  })
  expect(answerTo('sessionStart', 'Use two lines.')).toEqual({ additional_context: text })
})
