import { applyPatch, parsePatch } from 'diff'

/** A file that a patch leaves: its content, or null where it takes the file away. */
export type PatchedFile = readonly [path: string, content: string | null]

const bare = (name: string | undefined): string | null =>
  name === undefined || name === '/dev/null' ? null : name.replace(/^[ab]\//, '')

/**
 * The files that a unified diff changes, as it leaves them. `read` gives a file as it was, null where there is none.
 * Answers with why it does not fit instead of throwing.
 */
export async function patchedFiles(
  patch: string,
  read: (path: string) => Promise<string | null>,
): Promise<readonly PatchedFile[] | { readonly problem: string }> {
  if (patch.trim() === '') return []
  const files: PatchedFile[] = []
  try {
    for (const part of parsePatch(patch.endsWith('\n') ? patch : `${patch}\n`)) {
      const before = bare(part.oldFileName)
      const after = bare(part.newFileName)
      const old = before === null ? '' : await read(before)
      if (before !== null && before !== after) files.push([before, null])
      if (after === null) continue
      if (old === null) return { problem: `${before ?? after} is not in the repository` }
      const change = applyPatch(old, part)
      if (change === false) return { problem: `it does not fit ${after}` }
      files.push([after, change])
    }
    return files
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
