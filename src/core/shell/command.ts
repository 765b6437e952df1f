/** A command: what it says, and its exit code. Failures are thrown as `Failure`. */
export type Run = (args: string[], input: string) => Promise<string>

/** What a command says on standard error, and its exit code. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message)
  }
}

/** A date, or days since 1970, as shadow files have it; empty for never. */
export function dayOf(date: string): string {
  if (/^-?\d+$/.test(date)) return date === '-1' ? '' : date
  const time = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(time)) throw new Failure(`invalid date '${date}'`, 3)
  return String(Math.floor(time / 86_400_000))
}
