/** See start-failure.mjs. */
export function startFailure(said: string, code: number): string
