import { readErrorShape, toErrorShape, type LoamErrorShape } from '../../shared/errors'

/** The error people see, from anything a call rejected with. The contract's error carries the shape as its `data`. */
export function errorShape(error: unknown): LoamErrorShape {
  if (typeof error === 'object' && error !== null && 'data' in error) {
    const shape = readErrorShape(error.data)
    if (shape) return shape
  }
  return toErrorShape(error)
}

/** Why a call was refused; null when it was not. */
export const refusalOf = (call: Promise<unknown>): Promise<LoamErrorShape | null> =>
  call.then(() => null, errorShape)

/** What a command does to its store. */
interface CommandHooks {
  /** It begins; what was refused before is forgotten. */
  begin(): void
  refused(problem: LoamErrorShape): void
  /** It is over, however it went. */
  end?(): void
}

/** Asks the host for something to be done. Resolves to whether it was; never rejects. */
export async function runCommand(act: () => Promise<unknown>, hooks: CommandHooks): Promise<boolean> {
  hooks.begin()
  try {
    await act()
    return true
  } catch (error) {
    hooks.refused(errorShape(error))
    return false
  } finally {
    hooks.end?.()
  }
}
