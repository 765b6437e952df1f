/** The search indexes of a memory, below its folder: of cases, experiences, passages and facts. Each can be made again from the journal. */
export const INDEX_FOLDERS = ['lance', 'lance-experiences', 'lance-passages', 'lance-facts'] as const

/** The same with those that are being made. */
export const INDEX_NAMES: readonly string[] = INDEX_FOLDERS.flatMap((name) => [name, `${name}.new`])
