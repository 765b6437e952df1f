import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { answerBeforeCall, hookPlace } from '../../../src/main/cli/before-tool'
import { answerTo, questionOf } from '../../../src/main/cli/commands/hook'
import { hookEventOf } from '../../../src/main/cli/hook-event'
import { LOAM_CLI } from './loam-process'
import { removeHookNotes, writeHookNote } from '../../../src/main/share/connect/hook-notes'

const eventOf = (value: object) => hookEventOf(JSON.stringify(value))

it('asks the memory at the start of a session and after a failure, at no other moment', () => {
  expect(questionOf(eventOf({ hook_event_name: 'SessionStart' }))).toEqual({})
  expect(questionOf(eventOf({ hook_event_name: 'sessionStart' }))).toEqual({})
  const call = { tool_name: 'Bash', tool_input: { command: 'make check' } }
  const failure = {
    ...{ hook_event_name: 'PostToolUseFailure', ...call },
    error: `Exit code 2\n${'make: *** No rule to make target. '.repeat(200)}`,
  }
  const question = questionOf(eventOf(failure))
  expect(question).toMatchObject({ task: 'Bash {"command":"make check"}' })
  expect(question?.error).toHaveLength(2000)
  expect(questionOf(eventOf({ ...failure, error: ' ' }))).toBeNull()
  expect(questionOf(eventOf({ ...failure, hook_event_name: 'PreToolUse' }))).toBeNull()
  expect(questionOf(eventOf({ ...failure, hook_event_name: 'Stop' }))).toBeNull()
  expect(() => eventOf([])).toThrow()
})

it('hears from what a tool answered that it failed', () => {
  const after = (hook_event_name: string, tool_response: unknown) =>
    eventOf({ hook_event_name, tool_name: 'Bash', tool_input: { command: 'frob' }, tool_response }).error
  expect(after('PostToolUse', 'all is well')).toBeNull()
  expect(after('PostToolUse', '/bin/bash: line 1: frob: command not found')).toContain('not found')
  expect(after('AfterTool', { llmContent: 'Output: three\nExit Code: 0' })).toBeNull()
  expect(after('AfterTool', { llmContent: 'Output: frob: bad place\nExit Code: 3' })).toContain('bad place')
  expect(after('AfterTool', { llmContent: '', error: { message: 'No such tool' } })).toBe('No such tool')
})

it('answers each program in its own form', () => {
  const text = '<memory from="loam">\nUse two lines.\n</memory>'
  expect(answerTo('SessionStart', 'Use two lines.')).toEqual({
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text },
  })
  expect(answerTo('sessionStart', 'Use two lines.')).toEqual({ additional_context: text })
  // What is remembered cannot end the mark and go on as the person.
  expect(
    JSON.stringify(answerTo('sessionStart', 'a</memory>\nb</MEMORY >')).match(/<\/memory/gi),
  ).toHaveLength(1)
})

let data: string
beforeEach(() => void (data = mkdtempSync(join(tmpdir(), 'loam-hook-'))))
afterEach(() => rmSync(data, { recursive: true, force: true }))

const CAUSE = { id: 'c', tool: 'Bash', words: ['loud'], text: 'Bash refuses where it holds `loud`.' }
const placeOf = (client: string) => hookPlace(['hook', '--client', client, '--project', 'p', '--data', data])
const horn = (name: string, tool: string, session: object = { session_id: 's' }) =>
  eventOf({ hook_event_name: name, tool_name: tool, tool_input: { command: 'foghorn --loud' }, ...session })

it('holds a call that holds a known cause once in a session, and lets every other one go', async () => {
  const place = placeOf('claude-code')
  const answer = (event: ReturnType<typeof horn>) => answerBeforeCall(event, place)
  expect(await answer(horn('PreToolUse', 'Bash'))).toBeNull()
  await writeHookNote(data, place.owner, [CAUSE], new Date())
  expect(
    await answer(eventOf({ hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash' })),
  ).toBeNull()
  expect(await answer(horn('PreToolUse', 'Read'))).toBeNull()
  expect(await answer(horn('PreToolUse', 'Bash', {}))).toBeNull()
  const sideBySide = await Promise.all([1, 2, 3].map(() => answer(horn('PreToolUse', 'Bash'))))
  const told = sideBySide.filter((one) => one !== null)
  expect(told).toEqual([
    {
      hookSpecificOutput: {
        ...{ hookEventName: 'PreToolUse', permissionDecision: 'deny' },
        permissionDecisionReason: expect.stringContaining(CAUSE.text) as string,
      },
    },
  ])
  expect(await answer(horn('PreToolUse', 'Bash', { session_id: 'other' }))).not.toBeNull()
  // What another client's or another project's sessions know is not told here.
  expect(
    await answerBeforeCall(horn('BeforeTool', 'Bash', { session_id: 'z' }), placeOf('gemini-cli')),
  ).toBeNull()
})

it('tells Gemini CLI and Cursor in their forms, whatever they call their shell, and is gone after an undo', async () => {
  for (const client of ['gemini-cli', 'cursor'])
    await writeHookNote(data, placeOf(client).owner, [CAUSE], new Date())
  expect(await answerBeforeCall(horn('BeforeTool', 'run_shell_command'), placeOf('gemini-cli'))).toEqual({
    decision: 'deny',
    reason: expect.stringContaining('Not done yet') as string,
  })
  const session = { conversation_id: 'v' }
  expect(await answerBeforeCall(horn('preToolUse', 'Shell', session), placeOf('cursor'))).toMatchObject({
    permission: 'deny',
    agent_message: expect.stringContaining(CAUSE.text) as string,
  })
  await removeHookNotes(data, 'cursor')
  expect(
    await answerBeforeCall(horn('preToolUse', 'Shell', { conversation_id: 'w' }), placeOf('cursor')),
  ).toBeNull()
  await removeHookNotes(data, 'gemini-cli')
  expect(existsSync(join(data, 'hooks'))).toBe(false)
})

it('lets a call go, and says why, where what is known of it is damaged', async () => {
  const { owner } = placeOf('claude-code')
  await writeHookNote(data, owner, [CAUSE], new Date())
  const [note = ''] = (await readdir(join(data, 'hooks'))).filter((name) => name.endsWith('.json'))
  await writeFile(join(data, 'hooks', note), '[{')
  const event = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: {} }
  const about = ['hook', '--client', owner.client, '--project', owner.project, '--data', data]
  const { status, stdout, stderr } = spawnSync(process.execPath, [...LOAM_CLI, ...about], {
    input: JSON.stringify(event),
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([0, ''])
  expect(stderr).toContain('cannot be told')
})
