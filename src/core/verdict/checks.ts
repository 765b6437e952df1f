import type { ExperienceStep } from '../../shared/domain/experience'

/** Commands that run a project's tests. */
const RUNNERS = [
  /\bpytest\b/,
  /\bpy\.test\b/,
  /\b-?m unittest\b/,
  /\b(?:npm|yarn|pnpm|bun|deno|cargo|go|mix|sbt|swift|dotnet|npm run|pnpm run) (?:test|nextest|t)\b/,
  /\b(?:vitest|jest|mocha|rspec|phpunit|ctest|tox|nox)\b/,
  /\b(?:mvn|mvnw|gradle|gradlew) (?:-\S{1,40} ){0,3}(?:test|verify|check)\b/,
  /\bmake (?:test|check)\b/,
  /\bmanage\.py test\b/,
]
/** Words that stand before a runner's name where it is not run: reading about it, or getting it. */
const NOT_RUN =
  /^\s*(?:cat|grep|rg|find|ls|which|pip|pip3|npm i|npm install|yarn add|pnpm add|echo|sed|head|tail)\b/

const FAILED = [
  /\b[1-9]\d{0,8} (?:tests? )?(?:failed|failing)\b/i,
  /\b[1-9]\d{0,8} (?:failures?|errors?)\b/i,
  /\b(?:failures?|errors?)[:=] ?[1-9]/i,
  /^FAILED\b/m,
  /^--- FAIL/m,
  /^FAIL\b/m,
  /test result: FAILED/,
  /BUILD FAIL/,
  /^FAILURES!/m,
]
const PASSED = [
  /\b[1-9]\d{0,8} (?:tests? )?(?:passed|passing)\b/i,
  /\b[1-9]\d{0,8} examples?, 0 failures/,
  /^OK\b/m,
  /^ok\s/m,
  /test result: ok/,
  /BUILD SUCCESS/,
  /^Passed!/m,
]
/** A result stands near the end of what a runner prints. */
const LONGEST_OUTPUT = 8_000

/** Whether a step ran a project's tests. */
export const isTestRun = ({ verb, content }: ExperienceStep): boolean => {
  const command = content.slice(0, 2_000)
  return verb === 'run' && !NOT_RUN.test(command) && RUNNERS.some((runner) => runner.test(command))
}

/** What a run of tests, or of anything that checks, printed at its end: null where it does not say. */
export function resultOf({ failed, observation }: ExperienceStep): 'passed' | 'failed' | null {
  const output = observation?.slice(-LONGEST_OUTPUT) ?? ''
  if (failed || FAILED.some((words) => words.test(output))) return 'failed'
  return PASSED.some((words) => words.test(output)) ? 'passed' : null
}
