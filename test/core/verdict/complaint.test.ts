import { expect, test } from 'vitest'
import { complaintOf } from '../../../src/core/verdict/complaint'

test.each([
  [`1054 (42S22): Unknown column 'x' in 'field list'`, `1054 (42S22): Unknown column 'x' in 'field list'`],
  ['bash: line 1: foo: command not found', 'bash: line 1: foo: command not found'],
  [
    'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    run()\nValueError: no rows',
    'ValueError: no rows',
  ],
  [
    'Error: Payment amount does not add up, total price is 612',
    'Error: Payment amount does not add up, total price is 612',
  ],
  ['Fehler: Datei nicht gefunden', 'Fehler: Datei nicht gefunden'],
  ['Fichier introuvable', 'Fichier introuvable'],
  ['El archivo no existe', 'El archivo no existe'],
])('a text complains: %s', (output, line) => {
  expect(complaintOf(output, '')).toMatchObject({ line, from: 'text' })
})

test.each([
  '[(1, "error"), (2, "not found")]',
  '{"status": "failed", "id": 4}',
  'src/errors.ts:12: export class NotFoundError extends Error {}',
  '   10 | raise ValueError("no such row")',
  'The report lists every failed order of the year.\nIt has four parts.\nOne per quarter.\nAll in euro.\nSee the annex.',
  '',
])('data do not: %j', (output) => {
  expect(complaintOf(output, '')).toBeNull()
})

test('what a program of the action says under its own name is a complaint in any language', () => {
  const line = "useradd: l'utilisateur ada est là"
  expect(complaintOf(line, 'cd /srv && sudo useradd ada')).toMatchObject({ line, from: 'text' })
  expect(complaintOf(line, 'cat useradd')).toBeNull()
  expect(complaintOf('root:x:0:0', 'grep root /etc/passwd')).toBeNull()
})

test('what the source marks counts, whatever it says', () => {
  expect(complaintOf('nothing to do', '', { exit: 2 })).toMatchObject({ line: 'nothing to do', from: 'exit' })
  expect(complaintOf(null, '', { isError: true })).toMatchObject({ line: '', from: 'status' })
  expect(complaintOf('row 1\nrow 2\nE  assert 3 == 4', '', { exit: 1 })).toMatchObject({ from: 'exit' })
})

test('like complaints are masked alike, unlike ones are not', () => {
  const of = (column: string, action: string) =>
    complaintOf(`1054 (42S22): Unknown column '${column}' in 'field list'`, action)?.masked
  expect(of('price', 'SELECT price FROM a')).toBe(of('amount', 'SELECT amount FROM b'))
  expect(of('price', 'SELECT price FROM a')).toContain('1054 (42S22)')
  const target = (name: string) => `You can't specify target table '${name}' for update in FROM clause`
  expect(complaintOf(target('sd'), 'UPDATE sd')?.masked).toBe(
    complaintOf(target('bills'), 'UPDATE bills')?.masked,
  )
  expect(complaintOf("ls: cannot access '/root/b': No such file", 'ls ~/b')?.masked).toBe(
    complaintOf("ls: cannot access '/a/b': No such file", 'ls /a/b')?.masked,
  )
  expect(complaintOf('ls: /a/b: No such file', 'ls /a/b')?.masked).toBe(
    complaintOf('ls: c.txt: No such file', 'ls c.txt')?.masked,
  )
  expect(complaintOf(`1146 (42S02): Table 'a.b' doesn't exist`, 'SELECT 1')?.masked).not.toBe(of('price', ''))
})

test('who complains and of what are masked where the action named them, and told apart', () => {
  const of = (line: string, action: string) => complaintOf(line, action)
  expect(of("mkdir: invalid option -- 'b'", '{"script":"mkdir -b x"}')).toMatchObject({
    masked: of("rmdir: invalid option -- 'r'", 'sudo rmdir -r y')?.masked,
    names: { by: 'mkdir', of: null },
  })
  expect(of('bash: line 3: sudo: command not found', 'ls\nsudo ls')).toMatchObject({
    masked: 'bash: ‹…›: command not found',
    names: { by: null, of: 'sudo' },
  })
  expect(of('Error: User not found', 'get_user u1')?.masked).toBe('Error: User not found')
})

test('a long answer that opens with trouble and shows the action again is about the action', () => {
  const edit = 'edit 3:4\n    return round(total, 2) )\nend_of_edit'
  const rest = Array.from({ length: 30 }, (_, n) => `${n}:    value = ${n}`).join('\n')
  const line = 'Your edit has introduced new syntax error(s).'
  expect(complaintOf(`${line}\n${rest}\n    return round(total, 2) )`, edit)).toMatchObject({ line })
  expect(complaintOf(`${line}\n${rest}`, 'open notes.txt')).toBeNull()
})

test('what an action prints is no complaint, unless the source marks it as one', () => {
  const line = "The command 'groupadd' does not exist on a group."
  expect(complaintOf(line, `echo "${line}"`)).toBeNull()
  expect(complaintOf('-i error: no role', 'echo -i "error: no role"')).toBeNull()
  expect(complaintOf(line, 'groupadd x')).toMatchObject({ line })
  expect(complaintOf(line, `echo "${line}"; exit 1`, { exit: 1 })).toMatchObject({ from: 'exit' })
})
