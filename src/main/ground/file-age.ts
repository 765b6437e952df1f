/**
 * Milliseconds since a file was changed, as far as the clock tells: one that was set back since makes a file of the future, which is as old as it
 * is ahead, so that nothing that was left behind waits until the clock has caught up.
 */
export const fileAge = ({ mtimeMs }: { readonly mtimeMs: number }): number => Math.abs(Date.now() - mtimeMs)
