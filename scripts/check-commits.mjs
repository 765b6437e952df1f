import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

// How commits are named (CONTRIBUTING.md): every one after BASE in the folder's history, or, as git's commit-msg hook, the one in the
// file that it is given. Older ones are as they are.
const BASE = '6834daca55b13c178279a8e2d546509d43818356'
const LONGEST = 72

/** What is wrong with a subject, in words; null where nothing is. */
function problemOf(subject) {
  if (subject.length > LONGEST) return `has ${subject.length} characters, ${LONGEST} are the most`
  if (subject.includes(';')) return 'has a semicolon: it names more than one thing'
  return null
}

function git(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}

/** The commits to look at, a line each; null where there is no history. A clone without BASE has its last commit alone. */
function written() {
  const isWhole = git('merge-base', '--is-ancestor', BASE, 'HEAD') !== null
  return git('log', '--no-merges', '--format=%h %s', ...(isWhole ? [`${BASE}..HEAD`] : ['-1']))
}

const file = process.argv[2]
const lines = file === undefined ? written() : `This commit ${readFileSync(file, 'utf8').split('\n')[0]}`
if (lines === null) process.stdout.write('No git history here, so no commit was checked.\n')
for (const line of (lines ?? '').split('\n')) {
  const [, commit, subject] = /^(This commit|\S+) (.*)$/.exec(line) ?? []
  const problem = subject === undefined ? null : problemOf(subject)
  if (problem === null) continue
  process.stdout.write(`${commit}: the subject ${problem}.\n  ${subject}\n`)
  process.exitCode = 1
}
