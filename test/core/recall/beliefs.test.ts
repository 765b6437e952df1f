import { expect, test } from 'vitest'
import { NO_ACTION } from '../../../src/core/memory/beliefs/belief'
import type { Act, Lived } from '../../../src/core/recall/acts'
import { createBeliefs } from '../../../src/core/recall/beliefs'
import { agreedIn, credence, mostShown } from '../../../src/core/recall/refusals'
import { refusalText } from '../../../src/core/recall/belief-items'
import { mineCause, causeWords } from '../../../src/core/recall/cause'
import { changeBetween, lessonsOf, linesBeforeAction, statedIn } from '../../../src/core/recall/quotations'
import { complaintOf } from '../../../src/core/verdict/complaint'

const act = (action: string, observation: string | null, more: Partial<Act> = {}): Act => ({
  ...{ tool: 'shell', action, said: '', observation, complaint: complaintOf(observation, action) },
  ...more,
})
let made = 0
const lived = (acts: readonly Act[], more: Partial<Lived> = {}): Lived => ({
  ...{
    id: `a${++made}`,
    task: `t${made}`,
    environment: 'os',
    place: 'Harbor',
    told: 'List the paid bookings.',
  },
  ...{ reward: 1, isOwn: true, at: new Date(made * 1000).toISOString(), acts, ...more },
})
const believing = (...all: readonly Lived[]) => {
  const beliefs = createBeliefs()
  for (const one of all) beliefs.take(one)
  return beliefs
}

const DENIED = 'useradd: cannot lock /etc/passwd, permission denied, try again later'
const refused = (name: string) => act(`useradd ${name}`, DENIED)

test('a complaint met once is kept; two tasks agree on it, and its quotations stand in their rounds', () => {
  const first = lived([refused('ada')])
  const beliefs = believing(first)
  expect(beliefs.refusals('os')).toMatchObject([{ tool: 'shell', attempts: 1, cause: null, isTold: false }])
  expect(beliefs.agreed('os')).toEqual([])
  beliefs.take(lived([refused('bob')], { task: first.task }))
  expect(beliefs.agreed('os')).toEqual([])
  beliefs.take(lived([refused('cem')]))
  const [agreed] = beliefs.agreed('os')
  expect(agreed?.tasks.size).toBe(2)
  expect(agreed && [agreedIn(agreed, first.task), agreedIn(agreed, 'another')]).toEqual([false, true])
  for (const { act: at, of, text } of agreed?.witness.quotes ?? [])
    expect(first.acts[at]?.[of]).toContain(text)
  expect(beliefs.agreed('elsewhere')).toEqual([])
})

test.each([
  ['German', 'Fehler: Datei /etc/xy wurde nicht gefunden', 'cat'],
  ['French', 'erreur: fichier /etc/xy introuvable dans le dossier', 'cat'],
  ['Spanish', 'error: el archivo /etc/xy no existe en la carpeta', 'cat'],
])('tools may complain in %s', (_language, line) => {
  expect(lessonsOf(lived([act('cat /etc/xy', line)]))).toMatchObject([{ complaint: { line } }])
})

test('what makes it come is mined from all acts of the tool, told by later acts, and rests when they speak against it', () => {
  const ran = () => lived([act('sudo useradd eve', 'done')])
  const beliefs = believing(ran(), ran(), ran())
  for (const name of ['ada', 'bob', 'cem', 'dan'])
    beliefs.take(lived([act(`useradd --force ${name}`, DENIED)]))
  const [one] = beliefs.agreed('os')
  expect(one?.cause?.words).toEqual(['force'])
  expect(one && refusalText(one)).toContain('shell refuses where it holds `force`')
  for (let n = 0; n < 12; n++) beliefs.take(lived([act('sudo useradd --force fay', 'done')]))
  expect(beliefs.refusals('os')[0]?.ran).toBe(12)
  expect(beliefs.agreed('os')).toEqual([])
})

test('who complains is no cause of the complaint', () => {
  const ran = () => lived([act('ls -l /srv', 'done')])
  const beliefs = believing(ran(), ran(), ran())
  for (const name of ['ada', 'bob', 'cem'])
    beliefs.take(lived([act(`mkdir -b ${name}`, "mkdir: invalid option -- 'b'")]))
  expect(beliefs.agreed('os')).toMatchObject([{ cause: null }])
})

test('a word that every act has is no cause', () => {
  const acts = ['ada', 'bob'].map((name) => ({
    complaint: 'x',
    words: causeWords(`useradd ${name}`),
    task: name,
  }))
  expect(mineCause(acts, 'x')).toBeNull()
})

test('what ran instead is said once two tasks had the same change', () => {
  const overcome = (name: string) =>
    lived([
      act(`useradd --quiet -m ${name} -s /bin/sh`, DENIED),
      act(`useradd -m ${name} -s /bin/sh`, 'done'),
    ])
  const beliefs = believing(overcome('ada'))
  expect(beliefs.refusals('os')[0]?.remedy).toBeNull()
  beliefs.take(overcome('bob'))
  expect(beliefs.agreed('os')[0]?.remedy).toEqual({ removed: ['--quiet'], added: [] })
  expect(changeBetween('SELECT 1', 'rm -rf tmp')).toBeNull()
  expect(changeBetween("WHERE id = 'a'", "WHERE id = 'b'")).toBeNull()
})

test('a complaint about a name that the agent made up is of no use to others', () => {
  const line = "error: unknown column 'made_up_total' in the list of fields"
  expect(lessonsOf(lived([act('SELECT made_up_total', line)]))).toEqual([])
  expect(lessonsOf(lived([act('SELECT made_up_total', line)], { told: 'Show made_up_total.' }))).toHaveLength(
    1,
  )
})

test('a refused form is a reminder, since the rules of the world say it', () => {
  const observation = 'Can not find action in agent response.'
  const reply = (said: string) =>
    act(said, observation, { tool: NO_ACTION, complaint: complaintOf(observation, said, { refused: true }) })
  const [one] = believing(lived([reply('Well.')]), lived([reply('Hm.')])).agreed('os')
  expect(one).toMatchObject({ isTold: true, from: 'schema' })
  expect(one && refusalText(one)).toBe(
    'A reply is refused that is in another form: "Can not find action in agent response." (2 tasks).',
  )
})

test('an attempt that never answered teaches how it ended, and quotes what it did last', () => {
  const ending = { text: 'all its rounds are used up', isTold: true }
  const first = lived([act('ls', 'a'), act('ls', 'a')], { ending })
  const [one] = believing(first, lived([act('pwd', '/')], { ending })).agreed('os')
  expect(one && refusalText(one)).toBe(
    'An attempt ends without an answer when all its rounds are used up (2 tasks).',
  )
  expect(one).toMatchObject({ isTold: true, cause: null })
  expect(one?.witness.quotes).toEqual([{ act: 1, of: 'action', text: 'ls' }])
})

test('one complaint of several programs is one belief, with the programs that two tasks met it with', () => {
  const acts = ['mkdir', 'mkdir', 'rmdir'].map((program) =>
    lived([act(`${program} -b x`, `${program}: invalid option -- 'b'`)]),
  )
  const [one] = believing(...acts).agreed('os')
  expect(one && refusalText(one)).toBe('shell refuses: "…: invalid option -- …" (3 tasks), as with `mkdir`.')
})

test('at most four are shown, those that most tasks met', () => {
  const beliefs = createBeliefs()
  for (let n = 0; n < 6; n++)
    for (let times = 0; times < 2 + n; times++)
      beliefs.take(lived([act('make', `error: rule of kind ${'abcdef'[n]}${'abcdef'[n]} is missing here`)]))
  const shown = mostShown(beliefs.agreed('os'))
  expect(shown.map((group) => group.map(({ tasks }) => tasks.size))).toEqual([[7], [6], [5], [4]])
})

test('complaints that say the same of the same tool are shown together', () => {
  const beliefs = createBeliefs()
  for (const line of ['ls: /a/b: No such file', 'rm: cannot remove /a/b: No such file', 'ls: unknown option'])
    for (let times = 0; times < 2; times++) beliefs.take(lived([act('sh run.sh', line)]))
  expect(mostShown(beliefs.agreed('os')).map((group) => group.length)).toEqual([2, 1])
})

test('neither two tasks alone nor what an action says again of the complaint name a cause', () => {
  const ECHO = 'missing rule nor target'
  const ran = () => lived([act('df -h /srv', 'done')])
  const after = (...actions: string[]) => {
    const beliefs = believing(ran(), ran(), ran(), ran())
    for (const action of actions) beliefs.take(lived([act(action, `make: ${ECHO}`)]))
    return beliefs.agreed('os')[0]?.cause?.words
  }
  expect(after('make fast', 'make fast')).toBeUndefined()
  expect(after('make fast', 'go fast', 'run fast', 'do fast')).toEqual(['fast'])
  expect(after(...['a', 'b', 'c', 'd'].map((name) => `${name}: ${ECHO}`))).toBeUndefined()
})

const SAID = 'In Harbor a paid booking has the code K.'
const gone = (said: string, more: Partial<Lived> = {}) => lived([act('SELECT 1', '[(3,)]', { said })], more)
const LOOK = act('find paid in codes', "[('paid', 'K')]", { said: 'I look up what paid means.' })
const looked = (said: string, more: Partial<Lived> = {}) =>
  lived([LOOK, act('SELECT 1', '[(3,)]', { said })], more)
const believed = (beliefs: ReturnType<typeof createBeliefs>) =>
  beliefs.proven('os', 'Harbor').map(({ sayings }) => sayings.map(({ p }) => Math.round(p * 100) / 100))

test('a line is kept as it was written where the agent was right, and later judged attempts speak for or against it', () => {
  const beliefs = believing(gone(SAID))
  expect(beliefs.proven('os', 'Harbor')).toMatchObject([{ text: SAID, isOwn: true }])
  expect(beliefs.proven('os', 'Fjord')).toEqual([])
  expect(believed(beliefs)).toEqual([[0.94]])
  beliefs.take(gone(SAID, { reward: 0 }))
  expect(believed(beliefs)[0]?.[0]).toBeLessThan(0.75)
  beliefs.take(gone(SAID, { reward: 0 }))
  expect(believed(beliefs)[0]?.[0]).toBeLessThan(0.5)
  for (let n = 0; n < 3; n++) beliefs.take(gone(SAID))
  expect(believed(beliefs)[0]?.[0]).toBeGreaterThan(0.9)
})

test('clauses are believed one by one: a failure speaks against what is doubtful rather than against what is sure', () => {
  const both = `${SAID.slice(0, -1)}, and the price of a paid one is in cents.`
  const beliefs = believing(gone(SAID), gone(SAID), gone(SAID), gone(both, { reward: 0 }))
  expect(believed(beliefs)).toEqual([[expect.closeTo(0.95, 1)]])
  beliefs.take(gone(both))
  const [sure, doubtful] = believed(beliefs)[1] ?? []
  expect(sure).toBeGreaterThan(0.9)
  expect(doubtful).toBeLessThan(sure ?? 0)
  expect(believing(gone(SAID, { isOwn: false })).proven('os', 'Harbor')).toMatchObject([
    { isOwn: false, sayings: [{ p: 0.75 }] },
  ])
})

test('of an attempt that failed or that nobody judged only what it came to say of what it looked up is kept', () => {
  expect(believed(believing(looked(SAID, { reward: null })))).toEqual([[0.95]])
  expect(believed(believing(looked(SAID, { reward: 0 })))[0]?.[0]).toBeGreaterThan(0.5)
  expect(believing(gone(SAID, { reward: null })).proven('os', 'Harbor')).toEqual([])
  expect(linesBeforeAction(gone('List the paid bookings.'))).toEqual([])
})

test('a clause that asks states nothing, and is not shown', () => {
  expect(statedIn('Harbor: paid K, guest lower, price ?, city upper.')).toEqual({
    text: 'Harbor: paid K, guest lower',
    clauses: ['Harbor:', 'paid K,', 'guest lower,'],
  })
  expect(statedIn('What is it? Paid is K.').text).toBe('Paid is K.')
  expect(believing(gone('Is a paid booking coded K?')).proven('os', 'Harbor')).toEqual([])
})

test('how rare a word is among the tasks of a place', () => {
  const beliefs = believing(
    ...Array.from({ length: 9 }, (_, n) => lived([], { told: n === 0 ? 'paid guests' : 'guests' })),
  )
  expect(beliefs.rarity('os', 'Harbor', 'guest')).toBe(0)
  expect(beliefs.rarity('os', 'Harbor', 'paid')).toBeGreaterThan(0.8)
  expect(credence({ met: 0, ran: 0 })).toBe(0.5)
})
