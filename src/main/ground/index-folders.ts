/** The search indexes of a memory, below its folder: of cases, experiences and passages. Each can be made again from the journal. */
export const INDEX_FOLDERS = ['lance', 'lance-experiences', 'lance-passages'] as const

/** The same with those that are being made. */
export const INDEX_NAMES: readonly string[] = INDEX_FOLDERS.flatMap((name) => [name, `${name}.new`])
